import type { Attachment } from '../conversation/turn.ts'
import type { CodeRequest } from './code-request.ts'

/** The most characters of a file that are readable within code. */
const mostCharacters = 4_000

/** The request with placeholders for large files, and the names of these files. */
export function withShortFiles(request: CodeRequest): { request: CodeRequest; shortened: string[] } {
  const shortened: string[] = []
  const short = (attachment: Attachment): Attachment => {
    const { kind, name, data } = attachment
    if (kind === 'text' || data.length <= mostCharacters) return attachment
    shortened.push(name)
    return { ...attachment, data: `${data.slice(0, data.indexOf(',') + 1)}…` }
  }
  const turns = request.turns.map((turn) =>
    turn.role === 'user' && turn.attachments !== undefined
      ? { ...turn, attachments: turn.attachments.map(short) }
      : turn,
  )
  return { request: { ...request, turns }, shortened }
}
