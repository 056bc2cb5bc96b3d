import type { Attachment } from '../conversation/turn.ts'
import type { CodeRequest } from './code-request.ts'

/** As much of a file as is read among code. */
const mostCharacters = 4_000

/** The request with a gap in place of each large file, and the names of these. */
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
