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

/** What no vendor of another format can be asked for, and by which name it is refused. */
const refused: Record<string, RegExp> = {
  prompt: /^prompt$|^model$/,
  previous_response_id: /^previous_response_id$/,
  code_interpreter: /^tools\[0\]$/,
}

describe('requests that vendors of Responses were sent', () => {
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

/** By which name a request is refused at a vendor of chat completions; undefined: it is not. */
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
