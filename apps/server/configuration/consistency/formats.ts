import { formatsSpoken, vendorOf, type ProviderInput } from '../known-providers.ts'
import type { Path } from '../mistakes/mistake.ts'
import type { ConfigurationInput } from '../schema/schema.ts'

interface Contradiction {
  path: Path
  message: string
}

/** Finds mistakes in the formats of providers and of their models. */
export function* findWrongFormats({ providers, models }: ConfigurationInput): Generator<Contradiction> {
  for (const [name, provider] of Object.entries(providers ?? {})) {
    if (provider !== false) yield* wrongOf(provider.formats, [name, provider], ['providers', name, 'formats'])
  }
  for (const [id, { formats, upstreams }] of Object.entries(models ?? {})) {
    const path = ['models', id]
    const own = upstreams ?? (id.includes('/') ? [{ provider: id.slice(0, id.indexOf('/')) }] : [])
    for (const { provider: name } of own.filter((upstream) => !('formats' in upstream))) {
      const provider = providers?.[name] ?? {}
      if (provider !== false) yield* wrongOf(formats, [name, provider], [...path, 'formats'])
    }
    for (const [index, upstream] of (upstreams ?? []).entries()) {
      const provider = providers?.[upstream.provider] ?? {}
      const at = [...path, 'upstreams', index, 'formats']
      if (provider !== false) yield* wrongOf(upstream.formats, [upstream.provider, provider], at)
    }
  }
}

function* wrongOf(
  formats: ProviderInput['formats'],
  [name, provider]: [string, ProviderInput],
  path: Path,
): Generator<Contradiction> {
  if (formats === undefined) return
  const known = formatsSpoken(name, provider)
  if (known === undefined) return
  for (const [index, format] of formats.entries()) {
    if (!known.includes(format)) {
      const title = vendorOf(name, provider)?.title ?? name
      yield { path: [...path, index], message: `${title} only supports ${known.join(' and ')}` }
    } else if (formats.indexOf(format) < index) yield { path: [...path, index], message: 'is listed twice' }
  }
}
