import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { Value } from 'typebox/value'
import { priceNames } from '@turnpike/protocol'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { guideFile, jsonSchemaText, schemaFile, withTable } from './publish.ts'
import { parseConfiguration } from './load.ts'
import { configurationSchema } from './schema/schema.ts'

const renew = 'run: node apps/server/configuration/publish.ts'

test('the published JSON Schema equals the schema in the code', () => {
  expect(readFileSync(schemaFile, 'utf8'), renew).toBe(jsonSchemaText())
})

test('the guide has a row for every key', () => {
  const guide = readFileSync(guideFile, 'utf8')
  expect(guide, renew).toBe(withTable(guide))
  for (const name of propertyNames(configurationSchema)) expect(guide).toMatch(new RegExp(`[\`.]${name}\``))
})

test("the guide's example passes our check, TypeBox's and an editor's", () => {
  const example = /```yaml\n([\s\S]*?)```/.exec(readFileSync(guideFile, 'utf8'))![1]!
  const environment = {
    OPENAI_API_KEY: 'sk',
    GROQ_API_KEY: 'gsk',
    TURNPIKE_INTERNAL_SECRET: '0123456789abcdef',
  }
  const { input, mistakes } = parseConfiguration(example, environment)
  expect(mistakes).toEqual([])
  expect(Value.Check(configurationSchema, input)).toBe(true)
  const validate = new Ajv({ validateFormats: false }).compile(JSON.parse(jsonSchemaText()))
  expect(validate(parse(example)), JSON.stringify(validate.errors)).toBe(true)
})

test('prices have the names of the protocol', () => {
  const models = configurationSchema.properties.models as unknown as {
    patternProperties: Record<string, { properties: { pricing: { properties: Record<string, unknown> } } }>
  }
  const [model] = Object.values(models.patternProperties)
  const names = Object.keys(model!.properties.pricing.properties)
  expect(names.filter((name) => name !== 'overrides' && name !== 'service_tiers')).toEqual([...priceNames])
})

function propertyNames(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const own = 'properties' in schema ? Object.keys(schema.properties as object) : []
  return [...own, ...Object.values(schema).flatMap(propertyNames)]
}
