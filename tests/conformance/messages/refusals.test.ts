import { expect, test } from 'vitest'
import { scripted } from '../sdk-node.ts'
import { startMessagesNode, styles, type StyleName } from './messages-node.ts'
import { suiteWorld } from '../../nodes/suite.ts'

/** A vendor's refusal names the path in the caller's Messages format, whatever the vendor's format is. */

const world = await suiteWorld(startMessagesNode())

const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } }
const schema = { type: 'object' }
const conversation = {
  system: 'Be brief.',
  tools: [
    { name: 'one', input_schema: schema },
    { name: 'two', input_schema: schema },
  ],
  messages: [
    { role: 'user', content: 'Look.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'one', input: {} }] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 't1', content: 'r' },
        { type: 'text', text: 'See:' },
        image,
      ],
    },
  ],
}

const chat = (message: string, param: string | null): object => ({
  error: { message, type: 'invalid_request_error', param, code: null },
})
const google = (message: string, field?: string): object => {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [{ field }] }]
  return {
    error: { code: 400, message, status: 'INVALID_ARGUMENT', ...(field === undefined ? {} : { details }) },
  }
}
const imageUrl = 'messages[4].content[1].image_url.url'
const declared = 'tools[0].function_declarations[1].parameters.properties'

const refusals: [StyleName, object, param: string | undefined, message: string][] = [
  [
    'openai',
    chat(`Invalid '${imageUrl}'. Expected a data URL.`, imageUrl),
    'messages.2.content.2.source',
    "Invalid 'messages.2.content.2.source'. Expected a data URL.",
  ],
  [
    'openai',
    chat('The image is too large.', 'messages.[4].content.[1].image_url'),
    'messages.2.content.2',
    'messages.2.content.2: The image is too large.',
  ],
  [
    'openai',
    chat('messages[4].content[1]: no image', null),
    'messages.2.content.2',
    'messages.2.content.2: no image',
  ],
  [
    'openai',
    chat("Invalid schema for function 'two'", 'tools[1].function.parameters'),
    'tools.1.input_schema',
    "tools.1.input_schema: Invalid schema for function 'two'",
  ],
  ['local', chat('Too many', 'max_completion_tokens'), 'max_tokens', 'max_tokens: Too many'],
  [
    'mistral',
    { detail: [{ type: 'x', loc: ['body', 'tools', 1, 'function', 'parameters'], msg: 'Input is wrong' }] },
    'tools.1.input_schema',
    'tools.1.input_schema: Input is wrong',
  ],
  [
    'gemini',
    google(`* GenerateContentRequest.${declared}: should be non-empty`, declared),
    'tools.1.input_schema',
    `tools.1.input_schema: * GenerateContentRequest.${declared}: should be non-empty`,
  ],
  [
    'gemini',
    google("Invalid value at 'generation_config.stop_sequences'"),
    'stop_sequences',
    "Invalid value at 'generation_config.stop_sequences'",
  ],
  ['gemini', google('Unable to process input image.'), undefined, 'Unable to process input image.'],
  [
    'anthropic',
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'messages.2.content.2.image.source.base64: image exceeds 5 MB maximum',
      },
    },
    'messages.2.content.2.image.source.base64',
    'messages.2.content.2.image.source.base64: image exceeds 5 MB maximum',
  ],
  [
    'anthropic',
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'messages.2.content.1.text: cache_control cannot be set for empty text blocks',
      },
    },
    'messages.2.content.1.text',
    'messages.2.content.1.text: cache_control cannot be set for empty text blocks',
  ],
]

test.each(refusals)('%s: %j', async (style, said, param, message) => {
  world.next(scripted(400, said))
  const { status, body } = await world.post({ model: styles[style].model, ...conversation })
  expect({ status, ...body.error }).toEqual({
    status: 400,
    type: 'invalid_request_error',
    message,
    ...(param === undefined ? {} : { param }),
  })
})

const mark = { cache_control: { type: 'ephemeral' } }
const jpeg = Buffer.alloc(64, 0)
jpeg.writeUInt32BE(0xffd8ffe0, 0)

const ownRules: [string, object[], param: string, message: string][] = [
  [
    'a picture of another kind',
    [{ type: 'image', source: { ...image.source, data: jpeg.toString('base64') } }],
    'messages.0.content.0.source',
    'messages.0.content.0.source: The image was specified using the image/png media type, ' +
      'but the image appears to be a image/jpeg image',
  ],
  [
    'a fifth mark',
    Array.from({ length: 5 }, (_, at) => ({ type: 'text', text: `${at}`, ...mark })),
    'messages.0.content.4.cache_control',
    'A maximum of 4 blocks with cache_control may be provided. Found 5.',
  ],
]

test.each(ownRules)(
  "every vendor refuses %s by Anthropic's rules",
  async (_what, content, param, message) => {
    for (const style of ['anthropic', 'openai', 'gemini'] as const) {
      const { status, body } = await world.post({
        model: styles[style].model,
        messages: [{ role: 'user', content }],
      })
      expect({ status, ...body.error }).toEqual({
        status: 400,
        type: 'invalid_request_error',
        message,
        param,
      })
    }
  },
)

test.each([
  [
    'openai',
    400,
    {
      error: {
        message: 'maximum context length is 128000 tokens. However, your messages resulted in 150000 tokens.',
        type: 'invalid_request_error',
        param: 'messages',
        code: 'context_length_exceeded',
      },
    },
    150_000,
    128_000,
  ],
  [
    'gemini',
    400,
    google('The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).'),
    1_200_000,
    1_048_576,
  ],
] as const)(
  '%s: a prompt that is too long is reported in the words that Claude Code expects',
  async (style, status, said, asked, most) => {
    world.next(scripted(status, said))
    const { body } = await world.post({ model: styles[style].model, ...conversation })
    expect(body.error?.message).toBe(`prompt is too long: ${asked} tokens > ${most} maximum`)
  },
)
