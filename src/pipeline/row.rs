//! Documents on their way through a pipeline: bytes borrowed or shared, and one field that stands for another value.

use std::cell::OnceCell;
use std::rc::Rc;

use crate::query::expr::{Fields, Root};
use crate::value::{DocView, DocumentBuilder, Followed, PlaceInBytes, RawDocument, RawDocumentBuf, RawValue, View};

/// One document.
///
/// `$unwind` gives many documents that differ in one field: they share their bytes, and a value that lies among these is laid
/// over the field.
#[derive(Debug, Clone)]
pub struct Row<'s> {
    base: Base<'s>,
    over: Option<Over>,
    whole: OnceCell<RawDocumentBuf>,
}

#[derive(Debug, Clone)]
enum Base<'s> {
    Borrowed(&'s RawDocument),
    Shared(Rc<RawDocumentBuf>),
}

#[derive(Debug, Clone)]
struct Over {
    name: Rc<str>,
    value: PlaceInBytes,
}

impl<'s> From<&'s RawDocument> for Row<'s> {
    fn from(document: &'s RawDocument) -> Self {
        Self::of(Base::Borrowed(document))
    }
}

impl From<RawDocumentBuf> for Row<'_> {
    fn from(document: RawDocumentBuf) -> Self {
        Self::of(Base::Shared(Rc::new(document)))
    }
}

impl<'s> Row<'s> {
    fn of(base: Base<'s>) -> Self {
        Self { base, over: None, whole: OnceCell::new() }
    }

    /// A row of a computed document.
    #[must_use]
    pub fn built(builder: DocumentBuilder) -> Self {
        builder.finish().into()
    }

    /// A row of a copy.
    #[must_use]
    pub fn copied(document: DocView<'_>) -> Self {
        let mut builder = DocumentBuilder::new();
        builder.extend(document);
        Self::built(builder)
    }

    /// The same row without a field laid over it, sharing its bytes with the rows made of it.
    #[must_use]
    pub fn settled(self) -> Self {
        match self.over {
            None => self,
            Some(_) => self.into_raw().into(),
        }
    }

    /// The row with a value that lies inside it laid over a top-level field; the row is settled.
    #[must_use]
    pub fn with_field(&self, name: &Rc<str>, value: RawValue<'_>) -> Self {
        let over = value.place_in(self.base.raw()).map(|value| Over { name: name.clone(), value });
        Self { base: self.base.clone(), over, whole: OnceCell::new() }
    }

    /// Lays another value of the same document over the field.
    pub fn lay(&mut self, value: RawValue<'_>) {
        if let (Some(over), Some(place)) = (&mut self.over, value.place_in(self.base.raw())) {
            over.value = place;
            self.whole.take();
        }
    }

    /// Where expressions start from.
    #[must_use]
    pub fn root(&self) -> Root<'_> {
        match self.over {
            None => Root::Document(self.base.raw().into()),
            Some(_) => Root::Fields(self),
        }
    }

    /// The document's bytes.
    #[must_use]
    pub fn into_raw(self) -> RawDocumentBuf {
        if let Some(over) = &self.over {
            let made = self.whole.into_inner();
            return made.unwrap_or_else(|| over.applied(self.base.raw()));
        }
        match self.base {
            Base::Borrowed(document) => document.to_owned(),
            Base::Shared(document) => Rc::unwrap_or_clone(document),
        }
    }

    /// The whole document.
    #[must_use]
    pub fn raw(&self) -> &RawDocument {
        match &self.over {
            None => self.base.raw(),
            Some(over) => self.whole.get_or_init(|| over.applied(self.base.raw())),
        }
    }
}

impl Base<'_> {
    fn raw(&self) -> &RawDocument {
        match self {
            Self::Borrowed(document) => document,
            Self::Shared(document) => document,
        }
    }
}

impl Over {
    fn view<'a>(&self, base: &'a RawDocument) -> View<'a> {
        RawValue::at_place(base, self.value).and_then(Followed::view).unwrap_or(View::Null)
    }

    /// The base with the field in its place, or behind all others.
    fn applied(&self, base: &RawDocument) -> RawDocumentBuf {
        let mut document = DocumentBuilder::new();
        let mut written = false;
        for (name, value) in DocView::Raw(base).iter() {
            if name == &*self.name {
                written = true;
                document.append(name, self.view(base));
            } else {
                document.append(name, value);
            }
        }
        if !written {
            document.append(&self.name, self.view(base));
        }
        document.finish()
    }
}

impl Fields for Row<'_> {
    fn field(&self, name: &str) -> Option<RawValue<'_>> {
        let base = self.base.raw();
        match &self.over {
            Some(over) if &*over.name == name => RawValue::at_place(base, over.value),
            _ => RawValue::document(base).member(name),
        }
    }

    fn document(&self) -> DocView<'_> {
        self.raw().into()
    }
}

/// The document with the value at a path set, or taken away; documents on the way are made where there are none.
#[must_use]
pub fn with_path(document: DocView<'_>, parts: &[Box<str>], value: Option<View<'_>>) -> RawDocumentBuf {
    let mut out = DocumentBuilder::new();
    write_path(&mut out, document, parts, value);
    out.finish()
}

fn write_path(out: &mut DocumentBuilder, document: DocView<'_>, parts: &[Box<str>], value: Option<View<'_>>) {
    let Some((first, rest)) = parts.split_first() else {
        return out.extend(document);
    };
    let mut written = false;
    for (name, old) in document.iter() {
        if name != &**first {
            out.append(name, old);
            continue;
        }
        written = true;
        write_step(out, first, Some(old), rest, value);
    }
    if !written && value.is_some() {
        write_step(out, first, None, rest, value);
    }
}

fn write_step(
    out: &mut DocumentBuilder,
    name: &str,
    old: Option<View<'_>>,
    rest: &[Box<str>],
    value: Option<View<'_>>,
) {
    match (rest.is_empty(), old) {
        (true, _) => value.into_iter().for_each(|value| out.append(name, value)),
        (false, Some(View::Document(inner))) => out.nested(name, |out| write_path(out, inner, rest, value)),
        (false, _) => {
            out.nested(name, |out| write_path(out, DocView::Owned(&crate::value::Document::new()), rest, value));
        }
    }
}
