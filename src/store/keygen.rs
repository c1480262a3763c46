//! Which keys a document has in an index (`src/mongo/db/index/btree_key_generator.cpp`).
//!
//! A missing path gives `null`, an empty array `undefined`, an array one key an element; two different arrays in one
//! compound key are refused. Equal keys of one document are one key.

use std::collections::BTreeSet;

use crate::error::{CommandError, ErrorCode, Result};
use crate::store::key::{KeyBuilder, KeyOrder, KeyRef, SortKey};
use crate::value::{ArrayView, DocView, Path, View};

/// For each key part, the positions of path parts that hold an array in some document.
pub type MultikeyPaths = Vec<BTreeSet<usize>>;

/// The keys of one document, in order, each once.
#[derive(Debug, Clone, Default)]
pub struct KeySet {
    bytes: Vec<u8>,
    /// Start, end of the key, end of the type bits.
    spans: Vec<(u32, u32, u32)>,
    /// Where the document made the index multikey.
    pub(super) multikey: MultikeyPaths,
    /// Of a wildcard index, the paths that hold an array.
    pub(super) array_paths: BTreeSet<String>,
}

impl KeySet {
    /// The keys in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = KeyRef<'_>> {
        self.spans.iter().map(|span| self.key(*span))
    }

    /// How many keys there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether the document is not in the index.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Where the document's arrays lie, for each key part: the positions of path parts.
    #[must_use]
    pub fn multikey(&self) -> &MultikeyPaths {
        &self.multikey
    }

    /// Of a wildcard index, the paths of the document's arrays.
    #[must_use]
    pub fn array_paths(&self) -> &BTreeSet<String> {
        &self.array_paths
    }

    fn key(&self, (start, middle, end): (u32, u32, u32)) -> KeyRef<'_> {
        KeyRef::new(&self.bytes[start as usize..middle as usize], &self.bytes[middle as usize..end as usize])
    }

    pub(super) fn push(&mut self, key: KeyRef<'_>) {
        let here = |bytes: &Vec<u8>| u32::try_from(bytes.len()).expect("the keys of a 16 MiB document are below 4 GiB");
        let start = here(&self.bytes);
        self.bytes.extend_from_slice(key.bytes());
        let middle = here(&self.bytes);
        self.bytes.extend_from_slice(key.bits());
        self.spans.push((start, middle, here(&self.bytes)));
    }

    pub(super) fn clear(&mut self, parts: usize) {
        self.bytes.clear();
        self.spans.clear();
        self.array_paths.clear();
        self.multikey.iter_mut().for_each(BTreeSet::clear);
        self.multikey.resize_with(parts, BTreeSet::new);
    }

    /// Sorts the keys and keeps the first of equal ones.
    pub(super) fn settle(&mut self) {
        if self.spans.len() > 1 {
            let bytes = &self.bytes;
            let key = |span: &(u32, u32, u32)| &bytes[span.0 as usize..span.1 as usize];
            self.spans.sort_by(|left, right| key(left).cmp(key(right)));
            self.spans.dedup_by(|right, left| key(left) == key(right));
        }
    }
}

/// What the generator needs of an index that is no wildcard index.
pub(super) struct Generator<'i> {
    pub(super) paths: &'i [Path],
    pub(super) order: KeyOrder,
    pub(super) sparse: bool,
    pub(super) sort_key: Option<SortKey<'i>>,
}

/// A part's element picked by its position in the array now expanded, looked up once for all elements.
#[derive(Clone, Copy, Default)]
struct Positional<'a> {
    element: Option<View<'a>>,
    /// What lies at the rest of the path, and from which path part on the path goes on behind it.
    reached: Option<View<'a>>,
    from: usize,
}

/// One level of expansion: for each part the path part to go on from (none where its value is fixed) and its value.
#[derive(Clone)]
struct Level<'a> {
    from: Vec<Option<usize>>,
    fixed: Vec<View<'a>>,
    missing: usize,
}

/// What a document or array gives by a name; an array by its positions.
#[derive(Clone, Copy)]
enum Container<'a> {
    Nothing,
    Document(DocView<'a>),
    Array(ArrayView<'a>),
}

impl<'a> Container<'a> {
    fn get(self, name: &str) -> Option<View<'a>> {
        match self {
            Self::Nothing => None,
            Self::Document(document) => document.get(name),
            Self::Array(array) => array.get(position(name)?),
        }
    }

    fn of(value: View<'a>) -> Self {
        match value {
            View::Document(document) => Self::Document(document),
            _ => Self::Nothing,
        }
    }
}

/// An array position as a field name: digits without leading zeros.
fn position(name: &str) -> Option<usize> {
    let plain = name == "0" || !name.starts_with('0');
    if plain && name.bytes().all(|byte| byte.is_ascii_digit()) { name.parse().ok() } else { None }
}

/// Goes along the path from one of its parts to its end or to the first array; gives the value and the next part.
fn walk<'a>(mut container: Container<'a>, path: &Path, from: usize) -> Option<(View<'a>, Option<usize>)> {
    let parts = path.parts();
    for (at, part) in parts.iter().enumerate().skip(from) {
        let value = container.get(part)?;
        let next = (at + 1 < parts.len()).then_some(at + 1);
        match value {
            View::Array(_) => return Some((value, next)),
            _ if next.is_none() => return Some((value, None)),
            View::Document(document) => container = Container::Document(document),
            _ => return None,
        }
    }
    None
}

fn same_array(left: ArrayView<'_>, right: ArrayView<'_>) -> bool {
    match (left, right) {
        (ArrayView::Raw(a), ArrayView::Raw(b)) => std::ptr::eq(a.as_bytes(), b.as_bytes()),
        (ArrayView::Owned(a), ArrayView::Owned(b)) => std::ptr::eq(a, b),
        _ => false,
    }
}

/// The array that a level expands, and which parts go through it.
struct Expansion<'a> {
    array: ArrayView<'a>,
    through: Vec<usize>,
    /// Whether elements are taken one by one; not where a part names an element that is itself an array.
    one_by_one: bool,
}

impl<'i> Generator<'i> {
    /// Puts the document's keys into the set.
    ///
    /// # Errors
    /// `CannotIndexParallelArrays`; 16746 where a numeric path part fits both an array position and a field.
    pub(super) fn generate(&self, document: DocView<'_>, keys: &mut KeySet) -> Result<()> {
        keys.clear(self.paths.len());
        let level =
            Level { from: vec![Some(0); self.paths.len()], fixed: vec![View::Null; self.paths.len()], missing: 0 };
        let positional = vec![Positional::default(); self.paths.len()];
        let mut builder = KeyBuilder::default();
        self.expand(level, Container::Document(document), &positional, &mut builder, keys)?;
        if keys.is_empty() && !self.sparse {
            let nulls = KeyBuilder::of(self.paths.iter().map(|_| View::Null), self.order);
            keys.push(nulls.key());
        }
        keys.settle();
        Ok(())
    }

    /// Makes the one key of a document that has no array on the way; false if it has one.
    fn generate_plain(&self, document: DocView<'_>, keys: &mut KeySet) -> bool {
        let mut builder = KeyBuilder::default();
        let mut missing = 0;
        for (part, path) in self.paths.iter().enumerate() {
            let value = match walk(Container::Document(document), path, 0) {
                Some((View::Array(_), _)) => return false,
                Some((value, _)) => value,
                None => {
                    missing += 1;
                    View::Null
                }
            };
            builder.push(value, self.order.direction(part), self.sort_key);
        }
        if !(self.sparse && missing == self.paths.len()) {
            keys.push(builder.key());
        }
        true
    }

    fn expand<'a>(
        &self,
        mut level: Level<'a>,
        object: Container<'a>,
        positional: &[Positional<'a>],
        builder: &mut KeyBuilder,
        keys: &mut KeySet,
    ) -> Result<()> {
        let Some(expansion) = self.advance(&mut level, object, positional)? else {
            if !(self.sparse && level.missing == self.paths.len()) {
                self.emit(&level, builder, keys);
            }
            return Ok(());
        };
        if expansion.array.is_empty() {
            self.mark_empty(&level, &expansion, keys);
            let nothing = vec![Positional::default(); self.paths.len()];
            let level = self.entered(&level, &expansion.through, View::Undefined);
            return self.expand(level, Container::Nothing, &nothing, builder, keys);
        }
        let below = self.look_ahead(&level, &expansion, keys);
        for element in expansion.array.iter() {
            let whole = if expansion.one_by_one { element } else { View::Array(expansion.array) };
            let level = self.entered(&level, &expansion.through, whole);
            self.expand(level, Container::of(element), &below, builder, keys)?;
        }
        Ok(())
    }

    /// Moves every open part on to its value or to an array; gives the one array met.
    fn advance<'a>(
        &self,
        level: &mut Level<'a>,
        object: Container<'a>,
        positional: &[Positional<'a>],
    ) -> Result<Option<Expansion<'a>>> {
        let mut met: Option<(Expansion<'a>, &str)> = None;
        for part in 0..self.paths.len() {
            let Some(from) = level.from[part] else { continue };
            let (found, nested) = self.next_value(part, from, object, positional[part])?;
            match found {
                None => {
                    level.fixed[part] = View::Null;
                    level.from[part] = None;
                    level.missing += 1;
                }
                Some((View::Array(array), next)) => {
                    let name = self.name_before(part, next);
                    let (expansion, first) =
                        met.get_or_insert_with(|| (Expansion { array, through: Vec::new(), one_by_one: true }, name));
                    if !same_array(expansion.array, array) {
                        return Err(parallel(name, first));
                    }
                    expansion.through.push(part);
                    expansion.one_by_one &= !nested;
                    // A path that ends here is told from one that goes on by its place behind the last part.
                    level.from[part] = Some(next.unwrap_or(self.paths[part].parts().len()));
                }
                Some((value, _)) => {
                    level.fixed[part] = value;
                    level.from[part] = None;
                }
            }
        }
        Ok(met.map(|(expansion, _)| expansion))
    }

    /// The next value of a part, and whether it was an array inside the array now expanded.
    fn next_value<'a>(
        &self,
        part: usize,
        from: usize,
        object: Container<'a>,
        positional: Positional<'a>,
    ) -> Result<(Option<(View<'a>, Option<usize>)>, bool)> {
        let path = &self.paths[part];
        let own = object.get(&path.parts()[from]).is_some();
        match positional.element {
            Some(_) if own => Err(ambiguous(&path.parts()[from])),
            Some(element) => {
                let next = (positional.from < path.parts().len()).then_some(positional.from);
                let nested = matches!(element, View::Array(_));
                Ok((positional.reached.map(|value| (value, next)), nested))
            }
            None => Ok((walk(object, path, from), false)),
        }
    }

    fn name_before(&self, part: usize, next: Option<usize>) -> &str {
        let parts = self.paths[part].parts();
        &parts[next.unwrap_or(parts.len()) - 1]
    }

    /// The rest of each path that picks an element by position, and the marks of those that do not.
    fn look_ahead<'a>(&self, level: &Level<'a>, expansion: &Expansion<'a>, keys: &mut KeySet) -> Vec<Positional<'a>> {
        let mut below = vec![Positional::default(); self.paths.len()];
        for part in expansion.through.iter().copied() {
            let path = &self.paths[part];
            let from = level.from[part].unwrap_or_default();
            if from == path.parts().len() {
                if expansion.one_by_one {
                    keys.multikey[part].insert(from - 1);
                }
                continue;
            }
            let array = Container::Array(expansion.array);
            let Some(element) = array.get(&path.parts()[from]) else {
                keys.multikey[part].insert(from - 1);
                continue;
            };
            let reached = walk(array, path, from);
            below[part] = Positional {
                element: Some(element),
                reached: reached.map(|(value, _)| value),
                from: reached.and_then(|(_, next)| next).unwrap_or(path.parts().len()),
            };
        }
        below
    }

    fn mark_empty(&self, level: &Level<'_>, expansion: &Expansion<'_>, keys: &mut KeySet) {
        for part in expansion.through.iter().copied().filter(|_| expansion.one_by_one) {
            let from = level.from[part].unwrap_or(self.paths[part].parts().len());
            keys.multikey[part].insert(from - 1);
        }
    }

    /// The level inside an array: a path that ended at it takes the element.
    fn entered<'a>(&self, level: &Level<'a>, through: &[usize], element: View<'a>) -> Level<'a> {
        let mut inner = level.clone();
        for part in through.iter().copied() {
            if inner.from[part] == Some(self.paths[part].parts().len()) {
                inner.fixed[part] = element;
                inner.from[part] = None;
            }
        }
        inner
    }

    fn emit(&self, level: &Level<'_>, builder: &mut KeyBuilder, keys: &mut KeySet) {
        builder.clear();
        for (part, value) in level.fixed.iter().enumerate() {
            builder.push(*value, self.order.direction(part), self.sort_key);
        }
        keys.push(builder.key());
    }
}

fn parallel(name: &str, first: &str) -> CommandError {
    let message = format!("cannot index parallel arrays [{name}] [{first}]");
    CommandError::new(ErrorCode::CannotIndexParallelArrays, message)
}

fn ambiguous(name: &str) -> CommandError {
    let message = format!(
        "Ambiguous field name found in array (do not use numeric field names in embedded elements in an array), field: '{name}'"
    );
    CommandError::new(ErrorCode::Location(16746), message)
}
