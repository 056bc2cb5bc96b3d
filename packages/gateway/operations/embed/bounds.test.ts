import type { EmbedRequest, VectorEncoding } from '@turnpike/protocol'
import type { CatalogModel, Provider } from '@turnpike/vendors'
import { describe, expect, it } from 'vitest'
import { bounds } from './bounds.ts'

const mebibyte = 1024 * 1024

function asked(inputs: number, encoding: VectorEncoding, dimensions?: number): EmbedRequest {
  const texts = Array.from({ length: inputs }, () => 'a')
  return { inputs: texts, isSingle: false, dimensions, encoding } as unknown as EmbedRequest
}

const of = (format: string, batches?: object, dimensions?: number) => ({
  provider: { format, ...(batches !== undefined && { batches: { embed: batches } }) } as Provider,
  model: { ...(dimensions !== undefined && { dimensions }) } as CatalogModel,
})

const openai = of('openai-embeddings', { inputs: 2_048, tokens: 300_000 }, 3_072)

describe('the bounds of a batch', () => {
  it('are the vendor’s if the answer fits', () => {
    const vendors = { inputs: 2_048, tokens: 300_000 }
    expect(bounds(asked(2_048, 'base64'), openai)).toEqual(vendors)
    expect(bounds(asked(2_048, 'float', 256), openai)).toEqual(vendors)
    expect(bounds(asked(9_999, 'float'), of('openai-embeddings', vendors))).toEqual(vendors)
    expect(bounds(asked(9_999, 'float'), of('openai-embeddings'))).toBeUndefined()
  })

  it('allow fewer inputs if the answer would not fit, so that the largest request is answered', () => {
    const { inputs, tokens } = bounds(asked(2_048, 'float'), openai)!
    expect(tokens).toBe(300_000)
    // As OpenAI writes it: "        -0.0069292834," and a newline.
    expect(inputs * 3_072 * 23).toBeLessThan(64 * mebibyte)
    expect(inputs).toBeGreaterThan(800)
    expect(bounds(asked(10, 'float', 1_024), of('openai-embeddings'))!.inputs).toBeLessThan(3_000)
  })

  it('count base64 as numbers for a vendor of another format than OpenAI’s', () => {
    const cohere = of('cohere-embed', { inputs: 2_048 }, 3_072)
    expect(bounds(asked(1, 'base64'), cohere)).toEqual(bounds(asked(1, 'float'), cohere))
  })

  it('reject a request whose answer is too large, and say how many inputs fit', () => {
    const refused = () => bounds(asked(100_000, 'float'), openai)
    expect(refused).toThrow(/^input has 100000 items.* expected at most 2725, or ask for base64/u)
    expect(() => bounds(asked(100_000, 'base64'), openai)).toThrow(/expected at most \d+\.$/u)
    expect(() => bounds(asked(2_725, 'float'), openai)).not.toThrow()
  })

  it('leave absurd dimensions to the vendor', () => {
    expect(bounds(asked(1, 'float', 1e9), openai)).toEqual({ inputs: 2_048, tokens: 300_000 })
  })
})
