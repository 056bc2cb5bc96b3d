import type { ModerateRequest } from '@turnpike/protocol'
import type { Target } from '../../vendor.ts'

/** Writes the body if the caller's format is another one. */
export function formatRequest(request: ModerateRequest, { model }: Target): Record<string, unknown> {
  return { ...request.extensions, model, input: inputOf(request) }
}

function inputOf({ inputs, form }: ModerateRequest): unknown {
  const parts = inputs.map((one) =>
    one.kind === 'text'
      ? { type: 'text', text: one.text }
      : { type: 'image_url', image_url: { url: one.url } },
  )
  if (form === 'parts') return parts
  const texts = parts.map(({ text }) => text)
  return form === 'text' ? texts[0] : texts
}
