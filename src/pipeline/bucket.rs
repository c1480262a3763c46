//! `$bucket`, which is a group by a `$switch`, and `$bucketAuto`.

use crate::error::{CommandError, Result};
use crate::query::expr::{Expression, Reads, Scope};
use crate::value::{
    Bson, Document, DocumentBuilder, Packed, View, canonical_type, compare, doc, exact_long, is_number, type_alias,
};

use super::accumulate::Gather;
use super::flow::{Run, Stream, gathered, listed};
use super::granularity::Granularity;
use super::group::{Group, need_document};
use super::row::Row;
use super::sort::Sort;
use super::stage::{Stage, Surroundings};

/// Parses `$bucket` into the group and the sort it stands for.
///
/// # Errors
/// 40190 to 40202.
pub fn parse_bucket(value: &Bson, around: Surroundings<'_>) -> Result<Vec<Stage>> {
    let document = need_document(value, 40201, "Argument to $bucket stage must be an object, but found type: ")?;
    if let Some(name) =
        document.keys().find(|name| !["groupBy", "boundaries", "default", "output"].contains(&name.as_str()))
    {
        return Err(CommandError::new(40197, format!("Unrecognized option to $bucket: {name}.")).inside_field(name));
    }
    let (Some(by), Some(boundaries)) = (document.get("groupBy"), document.get("boundaries")) else {
        return Err(CommandError::new(40198, "$bucket requires 'groupBy' and 'boundaries' to be specified."));
    };
    check_group_by(by, 40202, "$bucket").map_err(|error| error.inside_field("groupBy"))?;
    let boundaries = constants(boundaries, around).map_err(|error| error.inside_field("boundaries"))?;
    check_boundaries(&boundaries, around).map_err(|error| error.inside_field("boundaries"))?;
    let default = document
        .get("default")
        .map(|value| {
            constant(value, around, 40195, "The $bucket 'default' field must be a constant expression, but found: ")
        })
        .transpose()?;
    if let Some(default) = &default {
        check_default(default, &boundaries, around).map_err(|error| error.inside_field("default"))?;
    }
    let key = bucket_key(by, &boundaries, default);
    let mut group = Document::from_iter([("_id".to_owned(), key)]);
    group.extend(output(document)?);
    let sort = Sort::parse(&Bson::Document(doc! {"_id": 1}))?;
    Ok(vec![Stage::Group(Group::parse(&Bson::Document(group), around.scope)?), Stage::Sort(sort)])
}

fn output(document: &Document) -> Result<Document> {
    match document.get("output") {
        None => Ok(doc! {"count": {"$sum": 1}}),
        Some(Bson::Document(output)) => Ok(output.clone()),
        Some(other) => {
            let found = type_alias(other.into());
            Err(CommandError::new(
                40196,
                format!("The $bucket 'output' field must be an object, but found type: {found}."),
            )
            .inside_field("output"))
        }
    }
}

fn check_group_by(by: &Bson, code: i32, stage: &str) -> Result<()> {
    let fits = match by {
        Bson::String(path) => path.starts_with('$'),
        Bson::Document(expression) => expression.keys().next().is_some_and(|name| name.starts_with('$')),
        _ => false,
    };
    if fits {
        return Ok(());
    }
    let shown = crate::query::expr::show_stored_value(by.into());
    Err(CommandError::new(
        code,
        format!(
            "The {stage} 'groupBy' field must be defined as a $-prefixed path or an expression, but found: {shown}."
        ),
    ))
}

fn constant(value: &Bson, around: Surroundings<'_>, code: i32, message: &str) -> Result<Bson> {
    let mut expression = Expression::parse(value, around.scope)?;
    expression.fold(around.context)?;
    match expression.as_constant() {
        Some(constant) => Ok(constant.clone()),
        None => {
            Err(CommandError::new(code, format!("{message}{}", crate::query::expr::show_stored_value(value.into()))))
        }
    }
}

fn constants(value: &Bson, around: Surroundings<'_>) -> Result<Vec<Bson>> {
    let Bson::Array(items) = value else {
        let found = type_alias(value.into());
        return Err(CommandError::new(
            40200,
            format!("The $bucket 'boundaries' field must be an array, but found type: {found}."),
        ));
    };
    let message = "The $bucket 'boundaries' field must be an array of constant values, but found value: ";
    items.iter().map(|item| constant(item, around, 40191, message)).collect()
}

fn check_boundaries(boundaries: &[Bson], around: Surroundings<'_>) -> Result<()> {
    if boundaries.len() < 2 {
        return Err(CommandError::new(
            40192,
            format!(
                "The $bucket 'boundaries' field must have at least 2 values, but found {} value(s).",
                boundaries.len()
            ),
        ));
    }
    for (at, pair) in boundaries.windows(2).enumerate() {
        let (low, high) = (View::from(&pair[0]), View::from(&pair[1]));
        if canonical_type(low) != canonical_type(high) {
            let (a, b) = (type_alias(low), type_alias(high));
            return Err(CommandError::new(
                40193,
                format!(
                    "All values in the 'boundaries' option to $bucket must have the same type. Found conflicting types {a} and {b}."
                ),
            ));
        }
        if around.context.collation().compare(low, high).is_ge() {
            let (a, b) = (crate::query::expr::show(low), crate::query::expr::show(high));
            return Err(CommandError::new(
                40194,
                format!(
                    "The 'boundaries' option to $bucket must be sorted, but elements {at} and {} are not in ascending order ({a} is not less than {b}).",
                    at + 1
                ),
            ));
        }
    }
    Ok(())
}

fn check_default(default: &Bson, boundaries: &[Bson], around: Surroundings<'_>) -> Result<()> {
    let view = View::from(default);
    let (Some(low), Some(high)) = (boundaries.first(), boundaries.last()) else {
        return Ok(());
    };
    if canonical_type(view) == canonical_type(low.into())
        && around.context.collation().compare(view, low.into()).is_ge()
        && around.context.collation().compare(view, high.into()).is_lt()
    {
        return Err(CommandError::new(
            40199,
            "The $bucket 'default' field must be less than the lowest boundary or greater than or equal to the highest boundary.",
        ));
    }
    Ok(())
}

fn bucket_key(by: &Bson, boundaries: &[Bson], default: Option<Bson>) -> Bson {
    let branch = |pair: &[Bson]| {
        let within = doc! {"$and": [
            {"$gte": [by.clone(), {"$literal": pair[0].clone()}]},
            {"$lt": [by.clone(), {"$literal": pair[1].clone()}]},
        ]};
        Bson::Document(doc! {"case": within, "then": {"$literal": pair[0].clone()}})
    };
    let mut switch = doc! {"branches": boundaries.windows(2).map(branch).collect::<Vec<_>>()};
    if let Some(default) = default {
        switch.insert("default", doc! {"$literal": default});
    }
    Bson::Document(doc! {"$switch": switch})
}

/// `$bucketAuto`
#[derive(Debug, Clone)]
pub struct BucketAuto {
    by: Expression,
    buckets: usize,
    fields: Vec<(String, Gather)>,
    granularity: Option<Granularity>,
    written: Document,
}

impl BucketAuto {
    /// Parses the stage.
    ///
    /// # Errors
    /// 40239 to 40246, 40257, 40261.
    pub fn parse(value: &Bson, scope: &Scope) -> Result<Self> {
        let document = need_document(value, 40240, "The argument to $bucketAuto must be an object, but found type: ")?;
        if let Some(name) =
            document.keys().find(|name| !["groupBy", "buckets", "output", "granularity"].contains(&name.as_str()))
        {
            return Err(
                CommandError::new(40245, format!("Unrecognized option to $bucketAuto: {name}.")).inside_field(name)
            );
        }
        let (Some(by), Some(buckets)) = (document.get("groupBy"), document.get("buckets")) else {
            return Err(CommandError::new(40246, "$bucketAuto requires 'groupBy' and 'buckets' to be specified."));
        };
        check_group_by(by, 40239, "$bucketAuto").map_err(|error| error.inside_field("groupBy"))?;
        let output = match document.get("output") {
            Some(Bson::Document(_)) | None => output(document)?,
            Some(other) => {
                return Err(CommandError::new(
                    40244,
                    format!(
                        "The $bucketAuto 'output' field must be an object, but found type: {}.",
                        type_alias(other.into())
                    ),
                ));
            }
        };
        let field = |(name, value): (&String, &Bson)| {
            let gather =
                Gather::parse(name, value, scope).map_err(|error| error.inside_field(name).inside_field("output"))?;
            Ok((name.clone(), gather))
        };
        let granularity = match document.get("granularity") {
            None => None,
            Some(Bson::String(name)) => {
                Some(Granularity::parse(name).map_err(|error| error.inside_field("granularity"))?)
            }
            Some(other) => {
                return Err(CommandError::new(
                    40261,
                    format!(
                        "The $bucketAuto 'granularity' field must be a string, but found type: {}.",
                        type_alias(other.into())
                    ),
                ));
            }
        };
        Ok(Self {
            by: Expression::parse(by, scope).map_err(|error| error.inside_field("groupBy"))?,
            buckets: bucket_count(buckets).map_err(|error| error.inside_field("buckets"))?,
            fields: output.iter().map(field).collect::<Result<_>>()?,
            granularity,
            written: document.clone(),
        })
    }

    /// Adds what the stage reads.
    pub fn reads(&self, reads: &mut Reads) {
        self.by.reads(reads);
        self.fields.iter().for_each(|(_, gather)| gather.reads(reads));
    }

    /// The stage as explain shows it.
    #[must_use]
    pub fn to_bson(&self) -> Bson {
        Bson::Document(self.written.clone())
    }

    /// Opens the stage.
    #[must_use]
    pub fn open<'s>(&'s self, input: Stream<'s>, run: Run<'s>) -> Stream<'s> {
        gathered(input, move |input| Ok(listed(self.fill(input, run)?)))
    }

    fn fill<'s>(&self, mut input: Stream<'s>, run: Run<'_>) -> Result<Vec<Row<'s>>> {
        let mut rows = Vec::new();
        while let Some(row) = input.next()? {
            let key = {
                let value = self.by.evaluate(&run.context.env(row.root()))?;
                Packed::new(value.or_null())
            };
            if let Some(granularity) = &self.granularity {
                granularity.check(key.view())?;
            }
            rows.push((key, row));
        }
        rows.sort_by(|(a, _), (b, _)| run.context.collation().compare(a.view(), b.view()));
        let cuts = self.cuts(&rows, run);
        let mut low = self.granularity.as_ref().and_then(|granularity| Some(granularity.down(rows.first()?.0.view())));
        let mut buckets = Vec::new();
        let mut start = 0;
        for end in cuts {
            let (first, last) = (&rows[start].0, &rows[end - 1].0);
            let (min, max) = match (&self.granularity, &low) {
                (Some(granularity), Some(low)) => (low.clone(), granularity.up(last.view())),
                _ => (first.clone(), rows.get(end).map_or_else(|| last.clone(), |(next, _)| next.clone())),
            };
            buckets.push(self.bucket(&rows[start..end], &min, &max, run)?);
            low = low.map(|_| max);
            start = end;
        }
        Ok(buckets)
    }

    /// Where each bucket ends: as many documents as an equal share, and all that share the last one's value.
    fn cuts(&self, rows: &[(Packed, Row<'_>)], run: Run<'_>) -> Vec<usize> {
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "small counts"
        )]
        let share = ((rows.len() as f64 / self.buckets as f64).round() as usize).max(1);
        let mut cuts = Vec::new();
        let mut start = 0;
        while start < rows.len() {
            let last = cuts.len() + 1 == self.buckets;
            let mut end = if last { rows.len() } else { (start + share).min(rows.len()) };
            let limit = self.granularity.as_ref().map(|granularity| granularity.up(rows[end - 1].0.view()));
            let belongs = |key: &Packed| match &limit {
                Some(limit) => compare(key.view(), limit.view()).is_lt(),
                None => run.context.collation().compare(key.view(), rows[end - 1].0.view()).is_eq(),
            };
            let more = rows[end..].iter().take_while(|(key, _)| belongs(key)).count();
            end += more;
            cuts.push(end);
            start = end;
        }
        cuts
    }

    fn bucket<'s>(&self, rows: &[(Packed, Row<'_>)], min: &Packed, max: &Packed, run: Run<'_>) -> Result<Row<'s>> {
        let mut document = DocumentBuilder::new();
        document.nested("_id", |id| {
            id.append("min", min.view());
            id.append("max", max.view());
        });
        let nothing = Document::new();
        for (name, gather) in &self.fields {
            let mut progress = gather.start((&nothing).into(), run.context)?;
            for (_, row) in rows {
                gather.add(&mut progress, row.root(), run.context)?;
            }
            document.append(name, gather.value(&progress).or_null());
        }
        Ok(Row::built(document))
    }
}

fn bucket_count(value: &Bson) -> Result<usize> {
    if !is_number(value.into()) {
        let found = type_alias(value.into());
        return Err(CommandError::new(
            40241,
            format!("The $bucketAuto 'buckets' field must be a numeric value, but found type: {found}."),
        ));
    }
    let shown = crate::query::expr::show(value.into());
    let whole = exact_long(value.into()).and_then(|whole| i32::try_from(whole).ok());
    let whole = whole.ok_or_else(|| {
        CommandError::new(
            40242,
            format!("The $bucketAuto 'buckets' field must be representable as a 32-bit integer, but found {shown}."),
        )
    })?;
    match usize::try_from(whole) {
        Ok(count @ 1..) => Ok(count),
        _ => Err(CommandError::new(
            40243,
            format!("The $bucketAuto 'buckets' field must be greater than 0, but found: {shown}."),
        )),
    }
}
