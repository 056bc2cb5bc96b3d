import { describe, expect, it } from 'vitest'
import type { ModelRequest } from '@turnpike/protocol'
import { parseRequest } from './request.ts'

const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]

function parse(generationConfig: object): ModelRequest {
  return parseRequest({ contents, generationConfig }, { model: 'm', stream: false }).request
}

describe('the sampling settings', () => {
  it("are left out if they are Google's defaults, as Gemini CLI always sends them", () => {
    const request = parse({ temperature: 1, topP: 0.95, topK: 64 })
    expect([request.temperature, request.topP, request.extensions]).toEqual([1, undefined, {}])
  })

  it('are sent if they differ', () => {
    const request = parse({ temperature: 0, topP: 0.9, topK: 40 })
    expect([request.temperature, request.topP, request.extensions]).toEqual([0, 0.9, { top_k: 40 }])
  })
})
