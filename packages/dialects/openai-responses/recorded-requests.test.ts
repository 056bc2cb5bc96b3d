import { allRecordings } from '@turnpike/simulators'
import { describe, expect, test } from 'vitest'
import { scanObject } from '../json/scan.ts'
import { refuseUnsupported } from '../requests/fields/generate-field-rules.ts'
import { generateFormats } from '../registry.ts'
import { fieldPath } from './caller/field-path.ts'
import { responsesNames } from './caller/fields.ts'
import { parseRequest } from './caller/request.ts'

const recordings = allRecordings()
const all = recordings.cases.filter(({ api, files }) => api === 'responses' && files.request !== undefined)

/** Requests that no vendor of another format can serve, and the name by which they are refused. */
const refused: Record<string, RegExp> = {
  prompt: /^prompt$|^model$/,
  previous_response_id: /^previous_response_id$/,
  code_interpreter: /^tools\[0\]$/,
}

describe('requests that were sent to vendors of Responses', () => {
  test.runIf(recordings.areReal)('are all there', () => {
    expect(all.length).toBeGreaterThanOrEqual(30)
  })

  test.each(all.map(({ id }) => [id]))('%s', (id) => {
    const bytes = recordings.request(id)!
    expect(scanObject(bytes, responsesNames).ambiguous).toBeUndefined()
    const body = JSON.parse(bytes.toString('utf8')) as Record<string, unknown>
    const param = refusalOf(body)
    if (param === undefined) return
    const names = Object.keys(refused).filter((name) => bytes.includes(`"${name}"`))
    expect(
      names.some((name) => refused[name]!.test(param)),
      param,
    ).toBe(true)
  })
})

/** The field for which a vendor of chat completions refuses a request; undefined if it does not. */
function refusalOf(body: Record<string, unknown>): string | undefined {
  try {
    const { request } = parseRequest(body)
    refuseUnsupported(request, generateFormats['openai-chat'].operations.generate.fields, 'x/y')
    return undefined
  } catch (error) {
    const { status, param } = error as { status?: number; param?: string | null }
    expect(status).toBe(400)
    return fieldPath(param!, body)
  }
}
