// Lets MongoDB Compass's reader of explain documents read ours for twenty different plans.
import assert from 'node:assert'
import { execFileSync } from 'node:child_process'
import { ExplainPlan } from '@mongodb-js/explain-plan-helper'

const pegboard = process.argv[2]

// Twelve items; `n` counts 0 … 11, `mod` is n modulo 3, every item has two tags, and a document of attributes.
const items = Array.from({ length: 12 }, (_, n) => ({
  _id: n, n, mod: n % 3, tags: [`t${n % 2}`, `u${n % 4}`], specs: [{ k: 'ram', v: n }, { k: 'cores', v: n % 4 }], map: { ram: n },
}))
const filled = `db.items.insertMany(${JSON.stringify(items)});`
const by = (...patterns) => patterns.map(pattern => `db.items.createIndex(${JSON.stringify(pattern)});`).join(' ')
const explain = '.explain("executionStats")'

// What each plan has to show: index names in the order of the stages, and what is false or zero when not given.
// `fetchless` is Compass's "covered", which it also says of a count and of an empty collection.
const plans = [
  { what: 'collection scan', run: `db.items.find({n: 5})${explain}`, scan: true, docs: 12, returned: 1 },
  { what: 'empty collection that does not exist', run: `db.nothing.find({n: 5})${explain}`, fetchless: true },
  { what: 'IDHACK', run: `db.items.find({_id: 5})${explain}`, index: ['_id_'], keys: 1, docs: 1, returned: 1 },
  { what: 'range on _id', run: `db.items.find({_id: {$gte: 10}})${explain}`, index: ['_id_'], keys: 2, docs: 2, returned: 2 },
  { what: 'index scan', indexes: [{ n: 1 }], run: `db.items.find({n: {$gte: 9}})${explain}`, index: ['n_1'], keys: 3, docs: 3, returned: 3 },
  { what: 'fetch with a filter', indexes: [{ mod: 1 }], run: `db.items.find({mod: 1, n: {$gt: 5}})${explain}`, index: ['mod_1'], keys: 4, docs: 4, returned: 2 },
  { what: 'covered', indexes: [{ mod: 1, n: 1 }], run: `db.items.find({mod: 1}, {_id: 0, n: 1})${explain}`, index: ['mod_1_n_1'], fetchless: true, keys: 4, returned: 4 },
  { what: 'multikey', indexes: [{ tags: 1 }], run: `db.items.find({tags: 't1'})${explain}`, index: ['tags_1'], multikey: true, keys: 6, docs: 6, returned: 6 },
  { what: 'multikey with duplicates dropped', indexes: [{ tags: 1 }], run: `db.items.find({tags: {$gte: 't'}})${explain}`, index: ['tags_1'], multikey: true, keys: 24, docs: 12, returned: 12 },
  { what: 'elemMatch on attributes', indexes: [{ 'specs.k': 1, 'specs.v': 1 }], run: `db.items.find({specs: {$elemMatch: {k: 'ram', v: {$gte: 8}}}})${explain}`, index: ['specs.k_1_specs.v_1'], multikey: true, keys: 4, docs: 4, returned: 4 },
  { what: 'sort of a scan', run: `db.items.find({}).sort({n: -1})${explain}`, scan: true, sort: true, docs: 12, returned: 12 },
  { what: 'sort after an index', indexes: [{ mod: 1 }], run: `db.items.find({mod: 2}).sort({n: -1}).limit(2)${explain}`, index: ['mod_1'], sort: true, keys: 4, docs: 4, returned: 2 },
  { what: 'sort by the index', indexes: [{ n: 1 }], run: `db.items.find({}).sort({n: -1}).limit(3)${explain}`, index: ['n_1'], keys: 3, docs: 3, returned: 3 },
  { what: 'OR', indexes: [{ n: 1 }, { mod: 1 }], run: `db.items.find({$or: [{n: 0}, {mod: 0}]})${explain}`, index: ['n_1', 'mod_1'], keys: 5, docs: 4, returned: 4 },
  { what: 'SORT_MERGE', indexes: [{ mod: 1, n: 1 }], run: `db.items.find({mod: {$in: [0, 2]}}).sort({n: 1})${explain}`, index: ['mod_1_n_1'], keys: 8, docs: 8, returned: 8 },
  { what: 'COUNT_SCAN', indexes: [{ mod: 1 }], run: `db.items.explain("executionStats").count({mod: 1})`, index: ['mod_1'], fetchless: true, keys: 5, returned: 0 },
  { what: 'wildcard', indexes: [{ 'map.$**': 1 }], run: `db.items.find({'map.ram': 7})${explain}`, index: ['map.$**_1'], keys: 1, docs: 1, returned: 1 },
  { what: 'collection scan by $natural although an index would do', indexes: [{ n: 1 }], run: `db.items.find({n: 5}).hint({$natural: 1})${explain}`, scan: true, docs: 12, returned: 1 },
  { what: 'aggregate with a cursor stage', indexes: [{ mod: 1 }], run: `db.items.explain("executionStats").aggregate([{$match: {mod: 1}}, {$group: {_id: "$n"}}])`, index: ['mod_1'], keys: 4, docs: 4, returned: 4 },
  { what: 'update', indexes: [{ n: 1 }], run: `db.items.explain("executionStats").update({n: 5}, {$set: {x: 1}})`, index: ['n_1'], keys: 1, docs: 1 },
]

assert.strictEqual(plans.length, 20)
for (const plan of plans) {
  const text = filled + by(...(plan.indexes ?? [])) + plan.run
  const answer = JSON.parse(execFileSync(pegboard, ['shell', '--quiet', '--json', '--eval', text], { encoding: 'utf8' }))
  const read = new ExplainPlan(answer)
  const seen = {
    index: read.usedIndexes.map(used => used.index),
    fetchless: read.isCovered,
    multikey: read.isMultiKey,
    sort: read.inMemorySort,
    scan: read.isCollectionScan,
    keys: read.totalKeysExamined,
    docs: read.totalDocsExamined,
    returned: read.nReturned,
  }
  const { what, run, indexes, ...given } = plan
  const nothing = { index: [], fetchless: false, multikey: false, sort: false, scan: false, keys: 0, docs: 0, returned: 0 }
  assert.deepStrictEqual(seen, { ...nothing, ...given }, `${what}: ${run}`)
  assert.strictEqual(read.executionSuccess, true, what)
}
console.log('twenty plans read by explain-plan-helper')
