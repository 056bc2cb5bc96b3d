import { describe, expect, it } from 'vitest'
import type { ModelRequest } from '@turnpike/protocol'
import { parseRequest } from './request.ts'

const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]

function said(generationConfig: object): ModelRequest {
  return parseRequest({ contents, generationConfig }, { model: 'm', stream: false }).request
}

describe('how the next token is chosen', () => {
  it('asks for nothing where it is what Google does by itself, as Gemini CLI always says', () => {
    const request = said({ temperature: 1, topP: 0.95, topK: 64 })
    expect([request.temperature, request.topP, request.extensions]).toEqual([1, undefined, {}])
  })

  it('is told where it is something else', () => {
    const request = said({ temperature: 0, topP: 0.9, topK: 40 })
    expect([request.temperature, request.topP, request.extensions]).toEqual([0, 0.9, { top_k: 40 }])
  })
})
