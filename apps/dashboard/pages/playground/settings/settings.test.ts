import { describe, expect, test } from 'vitest'
import { readSchema, readTools } from './read-json.ts'
import { plainSettings, readSettings, type Settings } from './settings.ts'

const read = (settings: Partial<Settings>, has = true) =>
  readSettings({ ...plainSettings, ...settings }, () => has)

test('readSettings leaves out what is not set', () => {
  expect(read({})).toEqual({ parameters: {}, mistakes: {} })
})

test.each<[Partial<Settings>, object]>([
  [{ temperature: ' 0.5 ' }, { temperature: 0.5 }],
  [{ topP: '1' }, { topP: 1 }],
  [{ seed: '-7' }, { seed: -7 }],
  [{ maxTokens: '100' }, { maxTokens: 100 }],
  [{ stop: ['a'] }, { stop: ['a'] }],
  [{ effort: 'low' }, { effort: 'low' }],
  [{ serviceTier: 'flex' }, { serviceTier: 'flex' }],
  [{ format: 'json', schema: '{' }, { format: { kind: 'json' } }],
  [{ toolChoice: 'required' }, {}],
  [{ tools: '[]' }, {}],
])('readSettings turns %j into %j', (settings, parameters) => {
  expect(read(settings)).toEqual({ parameters, mistakes: {} })
})

test.each<[Partial<Settings>, keyof Settings]>([
  [{ temperature: '2.1' }, 'temperature'],
  [{ temperature: '-0.1' }, 'temperature'],
  [{ temperature: 'warm' }, 'temperature'],
  [{ temperature: 'Infinity' }, 'temperature'],
  [{ topP: '1.5' }, 'topP'],
  [{ seed: '0.5' }, 'seed'],
  [{ seed: '1e400' }, 'seed'],
  [{ maxTokens: '0' }, 'maxTokens'],
  [{ tools: '{' }, 'tools'],
  [{ format: 'schema', schema: '[1]' }, 'schema'],
])('readSettings reports the mistake in %j at %s', (settings, name) => {
  const { parameters, mistakes } = read(settings)
  expect([parameters, Object.keys(mistakes)]).toEqual([{}, [name]])
})

test('readSettings leaves out what the model does not support', () => {
  const all = { temperature: 'x', topP: '5', seed: 'x', tools: '{', format: 'schema', schema: '{' } as const
  expect(read({ ...all, effort: 'high', stop: ['x'] }, false)).toEqual({ parameters: {}, mistakes: {} })
})

test('readSettings ignores the choice of a tool that is gone', () => {
  const tools = '[{"name":"a"},{"name":"b"}]'
  expect(read({ tools, toolChoice: 'tool:b' }).parameters.toolChoice).toEqual({ name: 'b' })
  expect(read({ tools, toolChoice: 'tool:c' }).parameters).not.toHaveProperty('toolChoice')
  expect(read({ tools, toolChoice: 'none' }).parameters.toolChoice).toBe('none')
})

describe('readTools', () => {
  const parameters = { type: 'object' }

  test.each([
    [{ name: 'a', parameters }],
    [{ type: 'function', function: { name: 'a', parameters } }],
    [{ name: 'a', input_schema: parameters }],
    [[{ type: 'function', name: 'a', parameters }]],
  ])('reads the form of each vendor: %j', (value) => {
    expect(readTools(JSON.stringify(value))).toEqual({ value: [{ name: 'a', parameters }] })
  })

  test.each([
    ['[1]', /^Tool 1: expected an object/],
    ['[{"name":"a"},{"name":""}]', /^Tool 2: `name`/],
    ['[{"name":"a b"}]', /letters/],
    ['[{"name":"a"},{"name":"a"}]', /the name a is already used/],
    ['[{"name":"a","parameters":[]}]', /`parameters`/],
    ['[{"name":"a","description":1}]', /`description`/],
    ['{', /^Invalid JSON/],
    [JSON.stringify(Array.from({ length: 65 }, (_, index) => ({ name: `t${index}` }))), /at most 64/],
    [' '.repeat(99_999) + '[1]', /at most 100000/],
  ])('explains what is wrong with an invalid list: %#', (text, words) => {
    expect(readTools(text).mistake).toMatch(words)
  })
})

test("readSchema accepts OpenAI's wrapper around a schema", () => {
  expect(readSchema('{"name":"x","schema":{"type":"object"},"strict":true}').value).toEqual({
    kind: 'schema',
    name: 'x',
    schema: { type: 'object' },
  })
  expect(readSchema('{"type":"object"}').value).toMatchObject({ name: 'answer' })
})
