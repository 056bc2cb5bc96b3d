import { scanObject } from '@turnpike/dialects'
import { describe, expect, test } from 'vitest'
import { openedBody, startRefusingNode } from './refusing-node.ts'
import { suiteWorld } from '../nodes/suite.ts'

/**
 * JSON parsers differ: Go's takes `Model` for `model`, and some use the first of two members with the same
 * name. What the gateway checks and holds for must be what every vendor reads.
 */

const world = await suiteWorld(startRefusingNode())

const prompt = 'Hello [sandbox: pace=0]'

/** Escapes every letter. */
function escaped(name: string): string {
  return Array.from(name, (letter) => `\\u00${letter.codePointAt(0)!.toString(16)}`).join('')
}

describe('refuses a name that differs from a known one only in its spelling', () => {
  test.each([
    ['Model', '"Model":"openai/gpt-5"'],
    ['MAX_TOKENS', '"MAX_TOKENS":100000'],
    ['Max_Completion_Tokens', '"Max_Completion_Tokens":100000'],
    ['Stream', '"Stream":true'],
    ['N_Predict', '"N_Predict":100000'],
    ['maxOutputTokens', '"maxOutputTokens":100000'],
    ['best-of', '"best-of":100'],
    ['ſtream', '"ſtream":true'],
    ['ſtream', '"\\u017ftream":true'],
    ['max_to\u212Aens', '"max_to\u212Aens":9'],
    ['sTream_options', '"sTream_options":{}'],
    ['N', '"N":100'],
    ['Messages', '"Messages":[]'],
    ['max_completıon_tokens', '"max_completıon_tokens":9'],
    ['meßages', '"meßages":[]'],
    ['Tools', '"Tools":[]'],
    ['maxTokens', '"maxTokens":100000'],
    ['Extra_Body', '"Extra_Body":{"max_tokens":100000}'],
    ['extraBody', '"extraBody":{"max_tokens":100000}'],
    ['Functions', '"Functions":[]'],
    ['function-call', '"function-call":"auto"'],
    ['Thinking', '"Thinking":{"type":"enabled"}'],
    ['Store', '"Store":true'],
    ['Prediction', '"Prediction":{}'],
    ['topK', '"topK":1'],
    ['MAX_COMPLETION_TOKENS', `"${escaped('MAX_COMPLETION_TOKENS')}":9`],
    ['Mod\u0065l', '"Mod\\u0065l":"x"'],
    ['metadata.Tags', '"metadata":{"Tags":["a"]}'],
    ['metadata.RETRY_OF', '"metadata":{"RETRY_OF":"a"}'],
    ['stream_options.Include_Usage', '"stream_options":{"Include_Usage":false}'],
    ['reasoning.Max_Tokens', '"reasoning":{"Max_Tokens":100000}'],
    ['tools[1].function.Name', '"tools":[{"type":"a"},{"type":"function","function":{"Name":"f"}}]'],
    ['response_format.Json_Schema', '"response_format":{"type":"text","Json_Schema":{}}'],
  ])('%s', async (param, members) => {
    const response = await world.post(`${openedBody},${members}}`)
    const { status, error } = await told(response)
    expect({ status, param: error.param }).toEqual({ status: 400, param })
    expect(error.message).toContain('expected this field to be spelled "')
  })

  test.each([
    ['messages[0].Content', `{"role":"user","content":"x","Content":"y"}`],
    ['messages[0].ROLE', `{"role":"user","ROLE":"system","content":"x"}`],
    ['messages[0].content[1].Type', `{"role":"user","content":[{"type":"text","text":"x"},{"Type":"text"}]}`],
    [
      'messages[0].content[0].Image_URL',
      `{"role":"user","content":[{"type":"text","text":"x","Image_URL":{"url":"https://a/b.png"}}]}`,
    ],
    [
      'messages[0].content[0].image_url.URL',
      `{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://a","URL":"https://b"}}]}`,
    ],
    [
      'messages[0].content[0].file.File_Id',
      `{"role":"user","content":[{"type":"file","file":{"file_data":"data:a/b;base64,AA==","File_Id":"f"}}]}`,
    ],
  ])('within a message: %s', async (param, message) => {
    const response = await world.post(`{"model":"openai/gpt-4o-mini","messages":[${message}]}`)
    const { status, error } = await told(response)
    expect({ status, param: error.param }).toEqual({ status: 400, param })
  })

  test('accepts any names in the caller’s own data: a schema, arguments, similar names', async () => {
    const parameters = '{"type":"object","Type":1,"properties":{"Model":{},"model":{},"MESSAGES":{}}}'
    const members =
      `"tools":[{"type":"function","function":{"name":"f","parameters":${parameters}}}],` +
      '"metadata":{"tag":"a","Tag":"b"},"_stream":1,"models_":2,"größe":3,"x":{"Model":1,"Model":2}'
    expect(await world.received(`${openedBody},${members}}`)).toContain(members)
  })
})

describe('two members with one name', () => {
  test.each([
    ['model', `{"model":"openai/gpt-5","messages":[],${openedBody.slice(1)}}`],
    ['an unknown one', `${openedBody.replace('{', '{"x":{"a":1},')},"x":2}`],
    ['one with an escape', `${openedBody.replace('{', '{"max_tokens":100000,')},"max_tok\\u0065ns":7}`],
    ['several', `{"n":4,${openedBody.slice(1)},"n":1,"n":1,"__proto__":1,"__proto__":2,"constructor":{}}`],
  ])('only the last one reaches the vendor: %s', async (_what, body) => {
    const sent = await world.received(body)
    const names = scanObject(Buffer.from(sent)).members.map(({ key }) => key)
    expect(names.toSorted()).toEqual(Object.keys(JSON.parse(sent) as object).toSorted())
    const expected = JSON.parse(body) as Record<string, unknown>
    expect(JSON.parse(sent)).toEqual({ ...expected, model: 'gpt-4o-mini' })
  })

  test.each([
    ['metadata.tags', `${openedBody},"metadata":{"tags":["a"],"tags":["b"]}}`],
    [
      'stream_options.include_usage',
      `${openedBody},"stream_options":{"include_usage":true,"include_usage":false}}`,
    ],
    [
      'stream_options.include_usage',
      `${openedBody},"stream_options":{"include_usage":true,"include_us\\u0061ge":false}}`,
    ],
    [
      'messages[0].content',
      `{"model":"openai/gpt-4o-mini","messages":[{"role":"user","content":"x","content":"y"}]}`,
    ],
    [
      'messages[0].content[1].type',
      `{"model":"openai/gpt-4o-mini","messages":[{"role":"user","content":[{"type":"text","text":"x"},` +
        `{"type":"image_url","image_url":{"url":"https://a/b.png"},"type":"text","text":"x"}]}]}`,
    ],
    [
      'messages[0].content[0].image_url.url',
      `{"model":"openai/gpt-4o-mini","messages":[{"role":"user","content":[` +
        `{"type":"image_url","image_url":{"url":"https://a","url":"https://b"}}]}]}`,
    ],
  ])('both are refused in what the gateway acts on: %s', async (param, body) => {
    const { status, error } = await told(await world.post(body))
    expect({ status, param: error.param }).toEqual({ status: 400, param })
    expect(error.message).toContain('given twice')
  })

  test('the same name in two messages is allowed', async () => {
    const message = `{"role":"user","content":[{"type":"text","text":"${prompt}"}]}`
    await world.received(`{"model":"openai/gpt-4o-mini","messages":[${message},${message}]}`)
  })
})

interface Told {
  status: number
  error: { param: string | null; message: string }
}

async function told(response: Response): Promise<Told> {
  return { status: response.status, ...((await response.json()) as Omit<Told, 'status'>) }
}
