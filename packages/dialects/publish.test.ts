import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { guideFile, withTables } from './publish.ts'
import { vendorFormats } from './registry.ts'

test('the guide lists how each field is treated today', () => {
  const guide = readFileSync(guideFile, 'utf8')
  expect(guide, 'run: node packages/dialects/publish.ts').toBe(withTables(guide))
  for (const name of Object.keys(vendorFormats)) expect(guide).toContain(`\n## ${name}\n`)
})
