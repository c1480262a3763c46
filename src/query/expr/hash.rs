//! `$toHashedIndexKey`: the hash that a hashed index keeps of a value (`src/mongo/db/hasher.cpp`).

use crate::error::Result;
use crate::value::{DocView, DocumentBuilder, View, canonical_type, is_below_zero, truncated_long};

use super::env::Env;
use super::table::{Call, Operator, Shape};
use super::value::Value;

pub(super) const OPERATORS: &[Operator] =
    &[Operator { name: "$toHashedIndexKey", shape: Shape::Exactly(1), run: to_hashed_index_key }];

/// A missing value hashes as null.
fn to_hashed_index_key<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let value = call.value(0, env)?;
    // The seed comes first, which is zero.
    let mut hashed = vec![0; 4];
    write_element(&mut hashed, None, value.or_null());
    let [low, high, ..] = md5(&hashed);
    Ok(((i64::from(high) << 32) | i64::from(low)).into())
}

/// The bytes that an element is hashed by: numbers as longs, so that equal ones have one hash.
fn write_element(out: &mut Vec<u8>, name: Option<&str>, value: View<'_>) {
    out.extend_from_slice(&i32::from(canonical_type(value)).to_le_bytes());
    if let Some(name) = name {
        out.extend_from_slice(name.as_bytes());
        out.push(0);
    }
    match value {
        View::Int32(_) | View::Int64(_) | View::Double(_) | View::Decimal(_) => {
            out.extend_from_slice(&long_of(value).to_le_bytes());
        }
        View::Document(document) => write_members(out, document),
        View::Array(array) => {
            for (position, item) in array.iter().enumerate() {
                write_element(out, Some(&position.to_string()), item);
            }
            out.extend_from_slice(&[0; 4]);
        }
        View::CodeWithScope(code, scope) => {
            out.extend_from_slice(code.as_bytes());
            out.push(0);
            write_members(out, scope);
        }
        leaf => write_leaf(out, leaf),
    }
}

/// The members, and the end of the document as an element of type zero.
fn write_members(out: &mut Vec<u8>, document: DocView<'_>) {
    document.iter().for_each(|(name, value)| write_element(out, Some(name), value));
    out.extend_from_slice(&[0; 4]);
}

/// A value's own bytes, which begin behind length, type and name of a document and end before its last byte.
fn write_leaf(out: &mut Vec<u8>, value: View<'_>) {
    let mut alone = DocumentBuilder::new();
    alone.append("", value);
    let alone = alone.finish();
    let bytes = alone.as_bytes();
    out.extend_from_slice(&bytes[6..bytes.len() - 1]);
}

/// Numbers beyond the longs count as the outermost one, NaN as zero.
fn long_of(value: View<'_>) -> i64 {
    truncated_long(value).unwrap_or_else(|| match is_below_zero(value) {
        Some(true) => i64::MIN,
        Some(false) => i64::MAX,
        None => 0,
    })
}

/// Left rotations of the four rounds (RFC 1321).
const ROTATIONS: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

/// Whole parts of 2^32 times the sines of 1 to 64 (RFC 1321).
const SINES: [u32; 64] = [
    0xd76a_a478,
    0xe8c7_b756,
    0x2420_70db,
    0xc1bd_ceee,
    0xf57c_0faf,
    0x4787_c62a,
    0xa830_4613,
    0xfd46_9501,
    0x6980_98d8,
    0x8b44_f7af,
    0xffff_5bb1,
    0x895c_d7be,
    0x6b90_1122,
    0xfd98_7193,
    0xa679_438e,
    0x49b4_0821,
    0xf61e_2562,
    0xc040_b340,
    0x265e_5a51,
    0xe9b6_c7aa,
    0xd62f_105d,
    0x0244_1453,
    0xd8a1_e681,
    0xe7d3_fbc8,
    0x21e1_cde6,
    0xc337_07d6,
    0xf4d5_0d87,
    0x455a_14ed,
    0xa9e3_e905,
    0xfcef_a3f8,
    0x676f_02d9,
    0x8d2a_4c8a,
    0xfffa_3942,
    0x8771_f681,
    0x6d9d_6122,
    0xfde5_380c,
    0xa4be_ea44,
    0x4bde_cfa9,
    0xf6bb_4b60,
    0xbebf_bc70,
    0x289b_7ec6,
    0xeaa1_27fa,
    0xd4ef_3085,
    0x0488_1d05,
    0xd9d4_d039,
    0xe6db_99e5,
    0x1fa2_7cf8,
    0xc4ac_5665,
    0xf429_2244,
    0x432a_ff97,
    0xab94_23a7,
    0xfc93_a039,
    0x655b_59c3,
    0x8f0c_cc92,
    0xffef_f47d,
    0x8584_5dd1,
    0x6fa8_7e4f,
    0xfe2c_e6e0,
    0xa301_4314,
    0x4e08_11a1,
    0xf753_7e82,
    0xbd3a_f235,
    0x2ad7_d2bb,
    0xeb86_d391,
];

/// The MD5 digest as four words, the least significant byte first (RFC 1321).
fn md5(message: &[u8]) -> [u32; 4] {
    let mut padded = message.to_vec();
    padded.push(0x80);
    padded.resize((message.len() + 8) / 64 * 64 + 56, 0);
    padded.extend_from_slice(&(message.len() as u64 * 8).to_le_bytes());
    let mut state = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
    for block in padded.as_chunks::<64>().0 {
        let mixed = mix(state, block);
        for (word, added) in state.iter_mut().zip(mixed) {
            *word = u32::wrapping_add(*word, added);
        }
    }
    state
}

fn mix(state: [u32; 4], block: &[u8; 64]) -> [u32; 4] {
    let words: Vec<u32> = block.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let [mut a, mut b, mut c, mut d] = state;
    for step in 0..64 {
        let (chosen, word) = match step / 16 {
            0 => ((b & c) | (!b & d), step),
            1 => ((d & b) | (!d & c), (5 * step + 1) % 16),
            2 => (b ^ c ^ d, (3 * step + 5) % 16),
            _ => (c ^ (b | !d), 7 * step % 16),
        };
        let sum = a.wrapping_add(chosen).wrapping_add(SINES[step]).wrapping_add(words[word]);
        (a, d, c, b) = (d, c, b, b.wrapping_add(sum.rotate_left(ROTATIONS[step / 16][step % 4])));
    }
    [a, b, c, d]
}
