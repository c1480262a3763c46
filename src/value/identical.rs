//! Sameness down to the bytes, which decides whether an update changed anything.

use super::view::{DocView, View};

/// Whether two values are the same in type, bits and field order; `5` and `5.0` are not, two equal NaNs are.
#[must_use]
pub fn identical(left: View<'_>, right: View<'_>) -> bool {
    match (left, right) {
        (View::Double(a), View::Double(b)) => a.to_bits() == b.to_bits(),
        (View::Decimal(a), View::Decimal(b)) => a.bytes() == b.bytes(),
        (View::Document(a), View::Document(b)) => identical_documents(a, b),
        (View::Array(a), View::Array(b)) => {
            let (mut a, mut b) = (a.iter(), b.iter());
            same_items(&mut a, &mut b, |x, y| identical(*x, *y))
        }
        (View::CodeWithScope(a, s), View::CodeWithScope(b, t)) => a == b && identical_documents(s, t),
        _ => super::type_code(left) == super::type_code(right) && super::equal(left, right),
    }
}

/// Whether two documents have the same names and values in the same order.
#[must_use]
pub fn identical_documents<'l, 'r>(left: impl Into<DocView<'l>>, right: impl Into<DocView<'r>>) -> bool {
    let (mut left, mut right) = (left.into().iter(), right.into().iter());
    same_items(&mut left, &mut right, |(a, x), (b, y)| a == b && identical(*x, *y))
}

fn same_items<A, B>(
    left: &mut impl Iterator<Item = A>,
    right: &mut impl Iterator<Item = B>,
    same: impl Fn(&A, &B) -> bool,
) -> bool {
    loop {
        match (left.next(), right.next()) {
            (None, None) => return true,
            (Some(a), Some(b)) if same(&a, &b) => {}
            _ => return false,
        }
    }
}
