//! Values: the total order, decimals, Extended JSON, sizes and limits.

use pegboard::error::CommandError;
use pegboard::value::{
    self, Bson, Decimal, DocView, Document, Followed, Glance, JsonMode, NameHead, PlainNumber, RawValue, Source,
    TextAnywhere, TextField, View, doc, document_bytes, from_json, identical, to_json,
};

/// Random values of every type, with the numbers that are hard to compare among them.
struct Dice(Source);

impl Dice {
    fn below(&mut self, sides: u64) -> u64 {
        self.0.next_u64() % sides
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        let sides = u64::try_from(from.len()).expect("a short list");
        from[usize::try_from(self.below(sides)).expect("a small number")].clone()
    }

    fn double(&mut self) -> f64 {
        self.pick(&[
            0.0,
            -0.0,
            1.0,
            0.1,
            -1.5,
            9_007_199_254_740_993.0,
            9.3e18,
            1e300,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
        ])
    }

    fn decimal(&mut self) -> bson::Decimal128 {
        let text =
            ["0", "-0", "1", "1.00", "0.1", "9007199254740993", "1E+400", "NaN", "Infinity", "-Infinity", "-1.5"];
        self.pick(&text).parse().expect("these are decimals")
    }

    fn number(&mut self) -> Bson {
        match self.below(4) {
            0 => Bson::Int32(self.pick(&[0, 1, -1, i32::MAX])),
            1 => Bson::Int64(self.pick(&[0, 1, 9_007_199_254_740_993, 9_007_199_254_740_992, i64::MAX, i64::MIN])),
            2 => Bson::Double(self.double()),
            _ => Bson::Decimal128(self.decimal()),
        }
    }

    fn scalar(&mut self) -> Bson {
        match self.below(14) {
            0 => Bson::MinKey,
            1 => Bson::MaxKey,
            2 => Bson::Null,
            3 => Bson::String(self.pick(&["", "a", "b", "ä"]).into()),
            4 => Bson::Boolean(self.below(2) == 0),
            5 => Bson::DateTime(bson::DateTime::from_millis(self.pick(&[0, -1, 1_700_000_000_000]))),
            6 => Bson::ObjectId(self.0.object_id()),
            7 => Bson::Binary(bson::Binary {
                subtype: bson::spec::BinarySubtype::Generic,
                bytes: self.pick(&[vec![], vec![1], vec![0, 2]]),
            }),
            8 => Bson::Timestamp(bson::Timestamp { time: self.pick(&[0, 7]), increment: self.pick(&[0, 1]) }),
            9 => View::Regex { pattern: self.pick(&["a", "b"]), options: self.pick(&["", "i"]) }.to_bson(),
            10 => Bson::JavaScriptCode(self.pick(&["f", "g"]).into()),
            _ => self.number(),
        }
    }

    fn value(&mut self, depth: u64) -> Bson {
        match self.below(if depth == 0 { 6 } else { 8 }) {
            6 => Bson::Document(self.document(depth - 1)),
            7 => {
                let length = self.below(3);
                Bson::Array((0..length).map(|_| self.value(depth - 1)).collect())
            }
            _ => self.scalar(),
        }
    }

    fn document(&mut self, depth: u64) -> Document {
        let fields = self.below(3);
        (0..fields).map(|_| (self.pick(&["a", "b"]).to_owned(), self.value(depth))).collect()
    }
}

#[test]
fn the_order_is_total_over_random_values() {
    let mut dice = Dice(Source::seeded(3));
    let compare = |a: &Bson, b: &Bson| value::compare(a.into(), b.into());
    for _ in 0..60_000 {
        let (a, b, c) = (dice.value(2), dice.value(2), dice.value(2));
        assert!(compare(&a, &a).is_eq(), "{a} equals itself");
        assert_eq!(compare(&a, &b), compare(&b, &a).reverse(), "{a} against {b}");
        if compare(&a, &b).is_le() && compare(&b, &c).is_le() {
            assert!(compare(&a, &c).is_le(), "{a} <= {b} <= {c}");
        }
    }
}

#[test]
fn bytes_and_trees_compare_alike() {
    let mut dice = Dice(Source::seeded(4));
    for _ in 0..5_000 {
        let (a, b) = (dice.document(2), dice.document(2));
        let expected = value::compare_documents((&a).into(), (&b).into());
        let (stored_a, stored_b) = (DocView::from(&a).to_raw(), DocView::from(&b).to_raw());
        assert_eq!(value::compare_documents((&stored_a).into(), (&b).into()), expected, "{a} against {b}");
        assert_eq!(value::compare_documents((&stored_a).into(), (&stored_b).into()), expected, "{a} against {b}");
        assert_eq!(document_bytes(&a), stored_a.as_bytes().len(), "size of {a}");
        assert!(value::identical_documents(&stored_a, &a), "{a}");
    }
}

#[test]
fn numbers_that_are_no_decimals_compare_as_all_do() {
    let mut dice = Dice(Source::seeded(41));
    for _ in 0..20_000 {
        let (a, b) = (dice.number(), dice.number());
        let (left, right) = (View::from(&a), View::from(&b));
        let plain = PlainNumber::of(left).zip(PlainNumber::of(right)).and_then(|(a, b)| a.compare(b));
        let decimal = matches!(a, Bson::Decimal128(_)) || matches!(b, Bson::Decimal128(_));
        let nan = value::is_nan(left) || value::is_nan(right);
        let expected = (!decimal && !nan).then(|| value::compare(left, right));
        assert_eq!(plain, expected, "{a} against {b}");
    }
}

/// Names of no letters up to eleven, some of which begin alike.
fn names() -> Vec<String> {
    let lengths = || (0..12).map(|length| "abcdefghijk"[..length].to_owned());
    lengths().chain(lengths().skip(1).map(|name| format!("{}z", &name[1..]))).chain(["ä".into()]).collect()
}

#[test]
fn a_name_made_ready_finds_what_a_name_finds() {
    let mut dice = Dice(Source::seeded(42));
    let names = names();
    for _ in 0..3_000 {
        let document: Document = (0..dice.below(6)).map(|_| (dice.pick(&names), dice.value(1))).collect();
        let stored = DocView::from(&document).to_raw();
        let (fields, tree) = (RawValue::document(&stored), View::Document((&document).into()));
        for name in &names {
            let head = NameHead::of(name);
            let decoded = |value: Option<RawValue<'_>>| value.and_then(Followed::view).map(|value| value.to_bson());
            let (found, plain) = (decoded(fields.named(head.name(name))), decoded(fields.member(name)));
            assert_eq!(format!("{found:?}"), format!("{plain:?}"), "{name} of {document}");
            let same = |found: &Bson, value: &Bson| identical(found.into(), value.into());
            assert_eq!(found.is_some(), document.contains_key(name), "{name} of {document}");
            assert!(
                found.iter().zip(document.get(name)).all(|(found, value)| same(found, value)),
                "{name} of {document}"
            );
            assert_eq!(tree.named(head.name(name)).is_some(), found.is_some());
        }
    }
}

#[test]
fn a_glance_tells_texts_apart() {
    let mut dice = Dice(Source::seeded(43));
    let names = names();
    let texts = ["", "a", "b", "ab", "abc", "abcdefghi", "abcdefghz", "ä"];
    for _ in 0..20_000 {
        let (name, text) = (dice.pick(&names), dice.pick(&texts));
        let first = if dice.below(2) == 0 { name.clone() } else { dice.pick(&names) };
        let value = if dice.below(4) == 0 { dice.value(1) } else { Bson::String(dice.pick(&texts).into()) };
        let document = doc! {first.clone(): value.clone(), "~": 1};
        let other = first == name && value.as_str().is_some_and(|own| own != text);
        let stored = DocView::from(&document).to_raw();
        let same = first == name && value.as_str() == Some(text);
        let expected = if same {
            Glance::Same
        } else if other {
            Glance::Other
        } else {
            Glance::Unclear
        };
        let seen = RawValue::document(&stored).glance(&TextField::new(&name, text));
        assert_eq!(seen, expected, "{name}: {text} at the head of {document}");
        let anywhere = document.values().any(|value| value.as_str() == Some(text));
        let lacks = RawValue::document(&stored).lacks(&TextAnywhere::new(text));
        assert!(!(lacks && anywhere), "{text} is in {document}");
        // Nothing but a text looks like one of some letters.
        assert!(lacks || anywhere || text.len() < 3, "{text} is not in {document}");
    }
}

#[test]
fn numbers_compare_by_value_whatever_their_type() {
    let decimal = |text: &str| Bson::Decimal128(text.parse().expect("a decimal"));
    let ascending = [
        Bson::Double(f64::NAN),
        Bson::Double(f64::NEG_INFINITY),
        Bson::Int64(i64::MIN),
        Bson::Int32(-1),
        Bson::Double(-0.0),
        decimal("0.1"),
        Bson::Double(0.1),
        decimal("0.1000000000000000055511151231257828"),
        Bson::Int64(9_007_199_254_740_992),
        Bson::Int64(9_007_199_254_740_993),
        Bson::Int64(i64::MAX),
        Bson::Double(9_223_372_036_854_775_808.0),
        decimal("1E+400"),
        decimal("Infinity"),
    ];
    for (low, high) in ascending.iter().zip(&ascending[1..]) {
        assert!(value::compare(low.into(), high.into()).is_lt(), "{low} < {high}");
    }
    let same = [Bson::Int32(5), Bson::Int64(5), Bson::Double(5.0), decimal("5.00")];
    assert!(same.iter().all(|a| same.iter().all(|b| value::equal(a.into(), b.into()))));
    assert!(value::equal((&Bson::Double(f64::NAN)).into(), (&decimal("NaN")).into()));
    assert!(value::equal((&Bson::Double(0.0)).into(), (&decimal("-0E-10")).into()));
}

type Operation = fn(Decimal, Decimal) -> Decimal;

/// Values as the General Decimal Arithmetic test cases have them (`ddAdd`, `dqMultiply`, `dqDivide`, `dqRemainder`).
#[test]
fn decimals_reckon_to_34_digits() {
    let decimal = |text: &str| Decimal::from_bson(text.parse().expect("a decimal"));
    let shown = |number: Decimal| number.to_bson().to_string();
    let cases: [(&str, Operation, &str, &str); 31] = [
        ("1.1", Decimal::add, "2.20", "3.30"),
        ("9999999999999999999999999999999999", Decimal::add, "1", "1.000000000000000000000000000000000E+34"),
        ("1E35", Decimal::add, "-7654321", "9.999999999999999999999999999234568E+34"),
        ("1E40", Decimal::add, "-1", "1.000000000000000000000000000000000E+40"),
        ("1E33", Decimal::add, "-5E-2", "1000000000000000000000000000000000"),
        ("1E33", Decimal::add, "-5.000000000000000000000000000000001E-2", "999999999999999999999999999999999.9"),
        (
            "1000000000000000000000000000000000",
            Decimal::add,
            "-0.05000000000000000000000000000000001",
            "999999999999999999999999999999999.9",
        ),
        ("1234567890123456789012345678901234", Decimal::add, "0.5", "1234567890123456789012345678901234"),
        ("1234567890123456789012345678901235", Decimal::add, "0.5", "1234567890123456789012345678901236"),
        (
            "1234567890123456789012345678901234",
            Decimal::add,
            "0.5000000000000000000000000000000001",
            "1234567890123456789012345678901235",
        ),
        ("1234567890123456789012345678901235", Decimal::add, "-0.5", "1234567890123456789012345678901234"),
        ("1E36", Decimal::add, "-1234567890123456789012345678901234", "9.987654321098765432109876543210988E+35"),
        ("1E6144", Decimal::add, "-1E-6176", "1.000000000000000000000000000000000E+6144"),
        ("-1E50", Decimal::add, "5E15", "-1.000000000000000000000000000000000E+50"),
        ("-1E50", Decimal::add, "5.1E15", "-9.999999999999999999999999999999999E+49"),
        ("1E35", Decimal::add, "0E-10", "1.000000000000000000000000000000000E+35"),
        ("9999999999999999999999999999999999", Decimal::add, "1E-6000", "9999999999999999999999999999999999"),
        ("1", Decimal::add, "-1", "0"),
        ("1E+40", Decimal::add, "1", "1.000000000000000000000000000000000E+40"),
        ("Infinity", Decimal::add, "-Infinity", "NaN"),
        ("1.20", Decimal::multiply, "3", "3.60"),
        (
            "9999999999999999999999999999999999",
            Decimal::multiply,
            "9999999999999999999999999999999999",
            "9.999999999999999999999999999999998E+67",
        ),
        ("0", Decimal::multiply, "Infinity", "NaN"),
        ("1E+6000", Decimal::multiply, "1E+6000", "Infinity"),
        ("1", Decimal::divide, "3", "0.3333333333333333333333333333333333"),
        ("2", Decimal::divide, "3", "0.6666666666666666666666666666666667"),
        ("6", Decimal::divide, "2", "3"),
        ("1", Decimal::divide, "0", "Infinity"),
        ("0", Decimal::divide, "0", "NaN"),
        ("10", Decimal::remainder, "3", "1"),
        ("-7.5", Decimal::remainder, "2", "-1.5"),
    ];
    for (left, operation, right, expected) in cases {
        assert_eq!(shown(operation(decimal(left), decimal(right))), expected, "{left} and {right}");
    }
    assert_eq!(shown(Decimal::from_double(0.1)), "0.100000000000000");
}

#[test]
fn decimal_sums_and_products_agree_with_whole_numbers() {
    let mut source = Source::seeded(9);
    for _ in 0..20_000 {
        let [a, b] = [0; 2].map(|_| i64::try_from(source.next_u64() >> 33).expect("31 bits"));
        let (x, y) = (Decimal::from_long(a), Decimal::from_long(-b));
        let back = |number: Decimal| value::exact_long(View::Decimal(number.to_bson()));
        assert_eq!(back(x.add(y)), Some(a - b));
        assert_eq!(back(x.multiply(y)), Some(-a * b));
        if b != 0 {
            assert_eq!(back(x.remainder(y)), Some(a % b));
            let whole = x.divide(y).multiply(y);
            assert!(whole.add(x.negate()).to_double().abs() < 1e-20, "{a} / {b}");
        }
    }
}

#[test]
fn extended_json_reads_back_what_it_wrote() {
    let mut dice = Dice(Source::seeded(5));
    for _ in 0..10_000 {
        let value = dice.value(2);
        for mode in [JsonMode::Canonical, JsonMode::Relaxed] {
            let text = to_json(&value, mode).to_string();
            let read = from_json(&serde_json::from_str(&text).expect("it is JSON")).expect("it is Extended JSON");
            let same = match mode {
                JsonMode::Canonical => identical((&value).into(), (&read).into()),
                // Relaxed numbers lose their type, not their value.
                JsonMode::Relaxed => value::equal((&value).into(), (&read).into()),
            };
            assert!(same, "{value} as {text} reads as {read}");
        }
    }
}

#[test]
fn documents_have_limits() {
    let nested = |levels: usize| (1..levels).fold(doc! {"a": 1}, |inner, _| doc! {"a": inner});
    let updated = |levels| value::check_nesting_at((&Bson::Document(nested(levels))).into(), 0);
    let inserted = |levels| value::check_insert(value::encode(fields(&nested(levels))).levels, 0);
    let [kept, refused] = [180, 181].map(|levels| [updated(levels), inserted(levels)].map(numbered));
    assert_eq!((kept, refused), ([Ok(()); 2], [Err(15); 2]));
    let sizes = |size| {
        [value::check_insert(1, size), value::check_updated(size, false), value::check_updated(size, true)]
            .map(numbered)
    };
    let most = 16 * 1024 * 1024;
    assert_eq!((sizes(most), sizes(most + 1)), ([Ok(()); 3], [Err(2), Err(17419), Err(17420)]));
    assert_eq!([most + 16384, most + 16385].map(|size| numbered(value::check_result(size))), [Ok(()), Err(10334)]);
}

fn numbered(checked: Result<(), CommandError>) -> Result<(), i32> {
    checked.map_err(|error| error.code.number())
}

fn fields(document: &Document) -> impl Iterator<Item = (&str, &Bson)> {
    document.iter().map(|(name, value)| (name.as_str(), value))
}
