// Lets the npm tools that teachers' dashboards use read our exports.
import assert from 'node:assert'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { createRequire } from 'node:module'
import { parse } from 'junit2json'

const require = createRequire(import.meta.url)
const ctrf = require('ctrf')
const results = require('test-results-parser')

const out = path.resolve(process.argv[2])
const text = name => readFileSync(path.join(out, name), 'utf8')

for (const name of ['right', 'wrong', 'missing', 'endless', 'several']) {
  const report = JSON.parse(text(`${name}.ctrf`))
  assert.ok(ctrf.isValid(report), `${name}.ctrf is valid for ctrf`)
  const suites = await parse(text(`${name}.junit`))
  assert.ok(suites.testsuite.length > 0)
  const parsed = results.parse({ type: 'junit', files: [path.join(out, `${name}.junit`)] })
  const total = parsed.result ?? parsed
  assert.strictEqual(total.failed + total.errors > 0, name !== 'right', `${name}.junit as test-results-parser sees it`)
}
console.log('read by ctrf, junit2json, test-results-parser')
