import type { Header } from './document-types.ts'

const kinds = {
  requests: 'requests per minute',
  tokens: 'input or output tokens per minute, whichever has less left',
}

/** OpenAI's headers; each is sent only if that limit exists. */
export const rateLimitHeaders: Record<string, Header> = Object.fromEntries(
  Object.entries(kinds).flatMap(([kind, described]) => [
    header(`limit-${kind}`, `The account's limit: ${described}. The model's own, if it has one.`, '3000'),
    header(`remaining-${kind}`, 'What is available now.', '2999'),
    header(`reset-${kind}`, 'Time until all of it is available, as a duration.', '20ms'),
  ]),
)

function header(name: string, description: string, example: string): [string, Header] {
  return [`x-ratelimit-${name}`, { description, schema: { type: 'string', examples: [example] } }]
}

/** Anthropic's headers: each limit separately, and the lower of the token limits as `tokens`. */
export const anthropicRateLimitHeaders: Record<string, Header> = Object.fromEntries(
  ['requests', 'input-tokens', 'output-tokens', 'tokens'].flatMap((kind) =>
    (
      [
        ['limit', "The account's limit per minute. The model's own, if it has one.", '3000'],
        ['remaining', 'What is available now.', '2999'],
        ['reset', 'When all of it is available (RFC 3339).', '2026-11-22T19:00:00Z'],
      ] as const
    ).map(([name, description, example]): [string, Header] => [
      `anthropic-ratelimit-${kind}-${name}`,
      { description, schema: { type: 'string', examples: [example] } },
    ]),
  ),
)
