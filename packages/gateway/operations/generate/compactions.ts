import type { ModelRequest } from '@turnpike/protocol'
import type { CatalogModel, Provider } from '@turnpike/vendors'
import { memberOf } from './billed-units.ts'
import { wholeNumber } from './served-tools.ts'

/** The default threshold in input tokens, if the request names none. */
const usualTrigger = 150_000

/** Compacts the conversation before answering: the model reads all of it and writes a summary. */
const kind = 'compact_20260112'

/**
 * How often the vendor may compact the conversation, which is billed besides the answer: at most once, if the
 * input may be long enough. https://platform.claude.com/docs/en/build-with-claude/compaction,
 * https://developers.openai.com/api/docs/guides/compaction
 */
export function compactions(
  { extensions: { context_management: wish } }: ModelRequest,
  { provider, heldInputTokens }: { provider: Provider; model: CatalogModel; heldInputTokens: number },
): number {
  if (wish === undefined || wish === null) return 0
  if (provider.format === 'openai-responses') return mayCompact(wish, heldInputTokens) ? 1 : 0
  if (provider.format !== 'anthropic-messages') return 0
  const edits = memberOf(wish, 'edits')
  if (!Array.isArray(edits)) return 0
  const edit: unknown = edits.find((one) => memberOf(one, 'type') === kind)
  if (edit === undefined) return 0
  const trigger = wholeNumber(memberOf(memberOf(edit, 'trigger'), 'value')) ?? usualTrigger
  return heldInputTokens >= trigger ? 1 : 0
}

/** OpenAI does not document its default threshold. */
function mayCompact(entries: unknown, heldInputTokens: number): boolean {
  if (!Array.isArray(entries)) return false
  return entries.some(
    (entry: unknown) =>
      memberOf(entry, 'type') === 'compaction' &&
      heldInputTokens >= (wholeNumber(memberOf(entry, 'compact_threshold')) ?? 0),
  )
}
