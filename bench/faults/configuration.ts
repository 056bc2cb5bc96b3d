/*
 * The gateway's configuration for failing vendors: a model with two upstreams, and a model to fall back to.
 */

/** Per million tokens in and out; two different prices, so that a charge shows which model served. */
export const pricesUsd = {
  'first/load-model': { prompt: '0.00000015', completion: '0.0000006' },
  'third/load-model': { prompt: '0.00000035', completion: '0.0000014' },
} as const

export const soakedModel = 'first/load-model'
export const fallbackModel = 'third/load-model'
export const vendorNames = ['first', 'second', 'third'] as const

/** Short, because in a soak nothing is gained by waiting longer for a hanging vendor. */
const firstByteSeconds = 1

/** Lines of the section `providers`. */
export function faultyProviders(vendorPort: number): string[] {
  return vendorNames.map((name) => {
    const url = `http://127.0.0.1:${vendorPort}/${name}/x-sim-events/60/x-sim-interval-ms/50/v1`
    const upstream = `{ first_byte_seconds: ${firstByteSeconds} }`
    return `  ${name}: { style: openai, base_url: "${url}", api_keys: [bench], upstream: ${upstream} }`
  })
}

/** Lines of the section `models`. The two upstreams share the requests, so that these probe both of them. */
export const faultyModels = [
  model(
    soakedModel,
    'upstreams: [{ provider: first, model: load-model, weight: 1 }, ' +
      '{ provider: second, model: load-model, weight: 1 }], ' +
      `fallbacks: [${fallbackModel}]`,
  ),
  model(fallbackModel, 'upstreams: [{ provider: third, model: load-model }]'),
]

function model(id: keyof typeof pricesUsd, upstreams: string): string {
  const { prompt, completion } = pricesUsd[id]
  const pricing = `pricing: { prompt: "${prompt}", completion: "${completion}" }`
  return `  ${id}: { context_length: 128000, max_output_tokens: 16384, ${pricing}, ${upstreams} }`
}
