import { allRecordings } from '@turnpike/simulators'
import { describe, expect, test } from 'vitest'
import { scanObject } from '../json/scan.ts'
import { refuseUnsupported } from '../requests/fields/generate-field-rules.ts'
import { targetOf } from '../testing/target.ts'
import { generateFormats } from '../registry.ts'
import { generateNames } from './caller/fields.ts'
import { parseRequest } from './caller/request.ts'

/** Real requests of Google's clients are parsed, or refused by the name of a field. */

const recordings = allRecordings()
const all = recordings.cases.filter(
  ({ api, files }) => api.endsWith('enerateContent') && files.request !== undefined,
)
const bodyOf = (id: string): object => JSON.parse(recordings.request(id)!.toString('utf8')) as object
const to = { model: 'm', stream: false }

/** Fields without a price, or unknown here. */
const refused = /^(?:tools\[\d+\]\.|generationConfig\.|labels|toolConfig|serviceTier|store|model)/u

describe('recorded requests', () => {
  test.each(all.map(({ id }) => [id]))('%s', (id) => {
    const body = bodyOf(id)
    expect(scanObject(recordings.request(id)!, generateNames).ambiguous).toBeUndefined()
    let call: ReturnType<typeof parseRequest>
    try {
      call = parseRequest(body, to)
    } catch (error) {
      expect((error as { param: string }).param).toMatch(refused)
      return
    }
    const { request } = call
    expect(request.messages.length).toBeGreaterThan(0)
    for (const format of ['openai-chat', 'anthropic-messages', 'mistral-chat', 'deepseek-chat'] as const) {
      const { generate } = generateFormats[format].operations
      const target = targetOf(format, 'm')
      try {
        refuseUnsupported(request, generate.fields, 'a/m')
        expect(generate.formatRequest(request, target)).toBeTypeOf('object')
      } catch (error) {
        expect(error).toMatchObject({ status: 400, param: expect.any(String) as string })
      }
    }
  })

  test('are mostly parsed', () => {
    const understood = all.filter(({ id }) => {
      try {
        parseRequest(bodyOf(id), to)
        return true
      } catch {
        return false
      }
    })
    console.log(`${understood.length} of ${all.length} recorded requests of generateContent are understood`)
    expect(understood.length).toBeGreaterThan(all.length / 2)
  })
})
