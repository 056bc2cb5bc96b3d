import type { LoggedMessage, RequestLog } from '@turnpike/api'
import type { Screen } from '../../terminal/screen.ts'
import { when } from '../../terminal/time.ts'

const reasons: Record<string, string> = {
  key_missing: 'It cannot be read: the gateway no longer has the key that it was encrypted with.',
  damaged: 'It cannot be read: the stored data is damaged.',
}

/** The prompt and the answer as readable text. */
export function logText(log: RequestLog, screen: Screen): string {
  const { style } = screen
  if (log.unreadable !== null) return reasons[log.unreadable] ?? log.unreadable
  const taken = Object.entries(log.redacted).map(([kind, count]) => `${count} × ${kind}`)
  const takenOut = taken.length > 0 ? `; redacted: ${taken.join(', ')}` : ''
  const lines = [
    style.bold(`${log.path ?? ''}, ${when(log.created_at, screen)}`),
    style.dim(`kept until ${when(log.expires_at, screen)}${takenOut}`),
  ]
  for (const [name, side] of [
    ['request', log.request],
    ['answer', log.answer],
  ] as const) {
    if (side === null) continue
    if (side.truncated) lines.push('', style.dim(`the ${name} is truncated: it had ${side.bytes} bytes`))
    for (const message of side.messages) lines.push('', ...messageLines(message, screen))
  }
  return lines.join('\n')
}

function messageLines({ role, parts }: LoggedMessage, { style }: Screen): string[] {
  return [style.bold(visible(role)), ...parts.map((part) => visible(partText(part)))]
}

function partText({ type, text, name, media_type: media, bytes }: LoggedMessage['parts'][number]): string {
  switch (type) {
    case 'tool_call':
      return `calls ${name ?? 'a tool'}: ${text}`
    case 'tool_result':
      return `result of ${name ?? 'a tool'}: ${text}`
    case 'reasoning':
      return `(reasoning) ${text}`
    case 'media': {
      const size = bytes === undefined ? undefined : `${bytes} bytes, not kept`
      return `[${[media, size, text].filter(Boolean).join(', ')}]`
    }
    default:
      return text
  }
}

/** Text of a model or a caller must not move the cursor, or colour what follows. */
function visible(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '�')
}
