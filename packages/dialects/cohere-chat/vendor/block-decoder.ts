import type { BlockStart, StreamPart } from '@turnpike/protocol'
import { isObject, type JsonObject, stringOrEmpty } from '../../json/object.ts'

/** Decodes one block of an answer: content, the plan before calls, or a call. */
export interface BlockDecoder {
  start(parts: StreamPart[]): void
  /** Decodes another piece, as its event has it. */
  push(piece: JsonObject, parts: StreamPart[]): void
  end(parts: StreamPart[]): void
}

/** Text or thinking, in the member of that name. */
export function textDecoder(block: number, kind: 'text' | 'reasoning', member: string): BlockDecoder {
  const push = (piece: JsonObject, parts: StreamPart[]): void => {
    const text = piece[member]
    if (typeof text !== 'string' || text === '') return
    parts.push({ type: 'block-delta', choice: 0, block, text })
  }
  return {
    start: (parts) => parts.push({ type: 'block-start', choice: 0, block, kind }),
    push,
    end: (parts) => parts.push({ type: 'block-end', choice: 0, block }),
  }
}

/** A tool call. Missing arguments have no piece, or are `null`, but callers parse them as an object. */
export function callDecoder(block: number, call: JsonObject): BlockDecoder {
  const { name } = functionOf(call)
  let isBlank = true
  const say = (text: string, parts: StreamPart[]): void => {
    if (text.trim() !== '') isBlank = false
    parts.push({ type: 'block-delta', choice: 0, block, text })
  }
  return {
    start(parts) {
      const toolCall = {
        id: stringOrEmpty(call['id']),
        name: stringOrEmpty(name),
        variant: 'function' as const,
      }
      parts.push({ type: 'block-start', choice: 0, block, kind: 'tool-call', toolCall })
    },
    push(piece, parts) {
      const { arguments: argumentPiece } = functionOf(piece)
      const text = isObject(argumentPiece) ? JSON.stringify(argumentPiece) : stringOrEmpty(argumentPiece)
      if (text !== '' && !(isBlank && text.trim() === 'null')) say(text, parts)
    },
    end(parts) {
      if (isBlank) say('{}', parts)
      parts.push({ type: 'block-end', choice: 0, block })
    },
  }
}

/** Content of an unknown type, kept complete: its pieces are joined. */
export function rawDecoder(block: number, content: JsonObject): BlockDecoder {
  const value: JsonObject = { ...content }
  const head: Omit<BlockStart, 'choice' | 'block'> = { type: 'block-start', kind: 'raw' }
  return {
    start: (parts) =>
      parts.push({ ...head, choice: 0, block, name: stringOrEmpty(content['type']) || 'content' }),
    push(piece) {
      for (const [name, more] of Object.entries(piece)) {
        const before = value[name]
        value[name] = typeof before === 'string' && typeof more === 'string' ? before + more : more
      }
    },
    end(parts) {
      parts.push({ type: 'block-delta', choice: 0, block, text: '', value })
      parts.push({ type: 'block-end', choice: 0, block })
    },
  }
}

function functionOf(call: JsonObject): JsonObject {
  return isObject(call['function']) ? call['function'] : {}
}
