import { describe, expect, it } from 'vitest'
import { referencesIn, type ReferencedValue } from '../../requests/references.ts'
import { chatReferences } from './references.ts'

const chatReferred = (body: object): ReferencedValue =>
  referencesIn({ messages: [], ...body }, chatReferences)

const inMessage = (part: object): object => ({ messages: [{ role: 'user', content: [part] }] })
const picture = (url: string): object => inMessage({ type: 'image_url', image_url: { url } })
const at = 'messages[0].content[0]'

describe('what a request refers to but does not contain', () => {
  it.each<[string, object, string, string]>([
    ['a file', inMessage({ type: 'file', file: { file_id: 'file-1' } }), `${at}.file.file_id`, 'file-1'],
    [
      'beside its data',
      inMessage({ type: 'file', file: { file_data: 'x', file_id: 'f' } }),
      `${at}.file.file_id`,
      'f',
    ],
    ['of an image', inMessage({ type: 'input_image', file_id: 'f' }), `${at}.file_id`, 'f'],
    ['in a text part', inMessage({ type: 'text', text: 'x', FILE_ID: 'f' }), `${at}.FILE_ID`, 'f'],
    ['in other letters', inMessage({ type: 'x', fileId: 'f' }), `${at}.fileId`, 'f'],
    ['in one word', inMessage({ type: 'x', fileid: 'f' }), `${at}.fileid`, 'f'],
    ['several', { file_ids: ['f', 'g'] }, 'file_ids[0]', 'f'],
    [
      'of a message',
      { messages: [{ role: 'user', content: 'x', attachments: [{ file_id: 'f' }] }] },
      'messages[0].attachments[0].file_id',
      'f',
    ],
    [
      'an earlier answer’s sound',
      { messages: [{ role: 'assistant', audio: { id: 'audio_1' } }] },
      'messages[0].audio.id',
      'audio_1',
    ],
    ['a bucket', picture('gs://b/o'), `${at}.image_url.url`, 'gs://b/o'],
    ['in capitals', picture(' GS://b/o'), `${at}.image_url.url`, ' GS://b/o'],
    ['a path', picture('file:/etc/passwd'), `${at}.image_url.url`, 'file:/etc/passwd'],
    [
      'a name',
      inMessage({ type: 'video_url', video_url: { url: 'files/abc' } }),
      `${at}.video_url.url`,
      'files/abc',
    ],
    [
      'Google’s files',
      picture('https://generativelanguage.googleapis.com/v1beta/files/a'),
      `${at}.image_url.url`,
      'https://generativelanguage.googleapis.com/v1beta/files/a',
    ],
    [
      'Google’s, with a user',
      picture('HTTPS://x@GenerativeLanguage.googleapis.com:443/v1beta/files/a'),
      `${at}.image_url.url`,
      'HTTPS://x@GenerativeLanguage.googleapis.com:443/v1beta/files/a',
    ],
    ['a cache', { cached_content: 'cachedContents/1' }, 'cached_content', 'cachedContents/1'],
    [
      'a cache of another spelling',
      { extra_body: { google: { cachedContent: 'c' } } },
      'extra_body.google.cachedContent',
      'c',
    ],
    ['an answer', { previous_response_id: 'resp_1' }, 'previous_response_id', 'resp_1'],
    ['a conversation', { conversation: { id: 'conv_1' } }, 'conversation', 'conv_1'],
    ['a container', { container: 'cntr_1' }, 'container', 'cntr_1'],
    ['a prompt', { prompt: { id: 'pmpt_1', version: '2' } }, 'prompt', 'pmpt_1'],
    [
      'a search',
      { tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] },
      'tools[0].vector_store_ids[0]',
      'vs_1',
    ],
    [
      'knowledge',
      { tools: [{ type: 'retrieval', retrieval: { knowledge_id: 'k' } }] },
      'tools[0].retrieval.knowledge_id',
      'k',
    ],
    [
      'beside a function',
      {
        tools: [{ type: 'function', function: { name: 'f', parameters: {} }, container_id: 'c' }],
      },
      'tools[0].container_id',
      'c',
    ],
    [
      'data of Azure',
      { data_sources: [{ type: 'azure_search', parameters: { endpoint: 'https://x' } }] },
      'data_sources[0]',
      'data_sources',
    ],
    [
      'Vertex’s',
      { x: { ragCorpus: 'projects/p/locations/l/ragCorpora/1' } },
      'x.ragCorpus',
      'projects/p/locations/l/ragCorpora/1',
    ],
    [
      'a file of Alibaba’s in the instructions',
      { messages: [{ role: 'system', content: ' FileId://file-fe-1' }] },
      'messages[0].content',
      'FileId://file-fe-1',
    ],
    [
      'one in their parts',
      { messages: [{ role: 'developer', content: [{ type: 'text', text: 'Read fileid://f-1, then' }] }] },
      'messages[0].content[0]',
      'fileid://f-1',
    ],
    ['a number', { dataset_id: 7 }, 'dataset_id', '7'],
    ['an assistant', { assistant_id: 'asst_1' }, 'assistant_id', 'asst_1'],
    ['whatever it may be', { provider_options: { widget_id: 'w' } }, 'provider_options.widget_id', 'w'],
    ['within lists of lists', { x: [[{ file_id: 'f' }]] }, 'x[0][0].file_id', 'f'],
  ])('%s', (_what, body, param, value) => {
    expect(chatReferred(body).references[0]).toEqual({ param: expect.stringMatching(/./), value })
    expect(chatReferred(body).references[0]!.param.replace(/\.id$/, '')).toBe(param.replace(/\.id$/, ''))
  })

  it.each<[string, object]>([
    [
      'a conversation',
      {
        messages: [
          {
            role: 'assistant',
            content: 'files/abc gs://x',
            tool_calls: [
              { id: 'c', type: 'function', function: { name: 'f', arguments: '{"file_id":"f"}' } },
            ],
          },
          { role: 'tool', tool_call_id: 'c', content: 'projects/p/locations/l' },
        ],
      },
    ],
    [
      'schemas of functions',
      {
        tools: [
          {
            type: 'function',
            function: {
              name: 'f',
              description: 'gs://x',
              parameters: {
                properties: { file_id: { type: 'string', default: 'f' }, url: { default: 'gs://b' } },
              },
            },
          },
        ],
      },
    ],
    [
      'the schema of the answer',
      {
        response_format: {
          type: 'json_schema',
          json_schema: {
            name: 'n',
            schema: { properties: { container: { type: 'string' }, x_id: { const: 'a' } } },
          },
        },
      },
    ],
    [
      'a schema of another vendor',
      {
        guided_json: { properties: { file_id: { type: 'string' }, container: { type: 'object' } } },
      },
    ],
    ['what a caller keeps for itself', { metadata: { file_id: 'f', tags: ['gs://x'] }, user: 'files/me' }],
    [
      'identifiers of its own',
      {
        session_id: 's',
        user_id: 'u',
        trace_id: 't',
        stop_token_ids: [1],
        return_token_ids: true,
      },
    ],
    ['data', picture('data:image/png;base64,AAAA')],
    ['base64 alone', picture('/9j/4AAQ+/==')],
    ['sound', { modalities: ['audio'], audio: { voice: 'alloy', format: 'mp3' } }],
  ])('is not %s', (_what, body) => {
    expect(chatReferred(body)).toEqual({ references: [], addresses: [] })
  })

  it('lists web addresses separately', () => {
    const part = { type: 'image_url', image_url: { url: 'http://10.0.0.1/x' } }
    expect(chatReferred(inMessage(part))).toEqual({
      references: [],
      addresses: [{ param: `${at}.image_url.url`, value: 'http://10.0.0.1/x' }],
    })
  })

  it('ends in an entry without a value if there are too many', () => {
    const ids = Array.from({ length: 5_000 }, () => 'allowed/x')
    const { references } = chatReferred({ file_ids: ids })
    expect(references).toHaveLength(1_001)
    expect(references.at(-1)!.value).toBe('')
  })
})
