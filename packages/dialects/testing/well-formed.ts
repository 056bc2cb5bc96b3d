import type { StreamPart } from '@turnpike/protocol'

/**
 * Lists violations of the order of an answer's parts: one head first, blocks numbered from 0 within their
 * choice and opened, filled and closed in that order, one finish per choice with no block left open, nothing
 * after an error. Empty if there are none.
 */
export function misplacedParts(parts: readonly StreamPart[]): string[] {
  const wrong: string[] = []
  const open = new Set<string>()
  const blocks = new Map<number, number>()
  const finished = new Set<number>()
  for (const [at, part] of parts.entries()) {
    const say = (what: string): number => wrong.push(`part ${at}, ${part.type}: ${what}`)
    if (at > 0 && parts[at - 1]!.type === 'error') say('after an error')
    if ((part.type === 'response-start') !== (at === 0) && part.type !== 'error') say('the head comes first')
    if (!('choice' in part)) continue
    if (finished.has(part.choice)) say('after the finish')
    if (part.type === 'finish') {
      finished.add(part.choice)
      if ([...open].some((key) => key.startsWith(`${part.choice}:`))) say('a block is still open')
      continue
    }
    const key = `${part.choice}:${part.block}`
    if (part.type === 'block-start') {
      const expected = blocks.get(part.choice) ?? 0
      if (part.block !== expected) say(`block ${part.block} where ${expected} is next`)
      blocks.set(part.choice, expected + 1)
      open.add(key)
    } else {
      if (!open.has(key)) say('its block is not open')
      if (part.type === 'block-end') open.delete(key)
    }
  }
  return wrong
}
