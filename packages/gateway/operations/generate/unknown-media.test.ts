import { parseRequest } from '@turnpike/dialects'
import { expect, test } from 'vitest'
import type { Candidate } from '../../candidates/candidate.ts'
import { mostOfUnknownMedia } from './unknown-media.ts'

const candidate = (format: string, contextLength: number): Candidate =>
  ({ provider: { format }, model: { contextLength } }) as unknown as Candidate
const gemini = candidate('google-generate', 1_000_000)
const claude = candidate('anthropic-messages', 200_000)
const gpt = candidate('openai-chat', 128_000)

const file = (data: object): object => ({ type: 'file', file: data })
const url = (address: string): object => file({ file_data: address })

test.each([
  ['a video that Google fetches', [gemini], url('https://www.youtube.com/watch?v=x'), 1_000_000],
  ['a file in Google’s store', [gemini], url('gs://bucket/a.pdf'), 1_000_000],
  ['a file of the vendor', [gpt], file({ file_id: 'file-1' }), 128_000],
  ['the longest context of all candidates', [gpt, claude, gemini], file({ file_id: 'a' }), 1_000_000],
  ['a document that Anthropic fetches', [claude], url('https://a.test/a.pdf'), 200_000],
  ['a document that the gateway fetches for Gemini', [gemini], url('https://a.test/a.pdf'), 0],
  ['a document in the request', [gemini, gpt], url('data:application/pdf;base64,AAAA'), 0],
  ['a video', [gpt], { type: 'video_url', video_url: { url: 'https://a.test/a.mp4' } }, 128_000],
  ['a video address as a string', [gpt], { type: 'input_video', video_url: ' HTTPS://a.test/a' }, 128_000],
  ['frames of a video', [gpt], { type: 'video', video: ['https://a.test/1.png'] }, 128_000],
  [
    'a video in the request',
    [gpt],
    { type: 'video_url', video_url: { url: 'data:video/mp4;base64,AAAA' } },
    0,
  ],
  ['a search result', [gpt], { type: 'search_result', url: 'https://a.test/' }, 0],
  ['an image', [claude], { type: 'image_url', image_url: { url: 'https://a.test/a.png' } }, 0],
])('%s', (_what, candidates, part, most) => {
  const { request } = parseRequest({ model: 'm', messages: [{ role: 'user', content: [part] }] })
  expect(mostOfUnknownMedia(request, candidates)).toBe(most)
})
