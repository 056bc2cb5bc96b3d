import { thoughtMark } from '../requests/thoughts-in-ids.ts'

/**
 * Google matches calls and results by name and place and gives many calls no identifier, but wants the
 * thought signature of a call back with it (https://ai.google.dev/gemini-api/docs/thought-signatures).
 * OpenAI's clients send nothing back but a call's identifier: so it carries both. It holds no character
 * that other vendors refuse in one; it may be longer than they take, for which there is `withoutThought`.
 */
export interface GoogleCall {
  /** Google's own identifier, where it gave one. */
  googleId: string | undefined
  /** As Google wrote it: base64. */
  thoughtSignature: string | undefined
}

const ownPrefix = 'google_'
/** For a signature that the URL-safe alphabet does not give back as it was. */
const textMark = 'text_'

/** @param place unique to the call, for one to which Google gave no identifier */
export function formatToolCallId(call: GoogleCall, place: string): string {
  const { googleId, thoughtSignature } = call
  const plain = googleId !== undefined && !googleId.includes(thoughtMark)
  const head = plain ? `${ownPrefix}${googleId}` : `call_${place}`
  return thoughtSignature === undefined ? head : `${head}${thoughtMark}${packSignature(thoughtSignature)}`
}

/** What an identifier carries; nothing for another vendor's. */
export function parseToolCallId(id: string): GoogleCall {
  const at = id.indexOf(thoughtMark)
  const head = at === -1 ? id : id.slice(0, at)
  return {
    googleId: head.startsWith(ownPrefix) ? head.slice(ownPrefix.length) : undefined,
    thoughtSignature: at === -1 ? undefined : unpackSignature(id.slice(at + thoughtMark.length)),
  }
}

function packSignature(signature: string): string {
  const safe = signature.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
  if (padBase64(safe) === signature && !safe.startsWith(textMark)) return safe
  return textMark + Buffer.from(signature, 'utf8').toString('base64url')
}

function unpackSignature(text: string): string {
  if (!text.startsWith(textMark)) return padBase64(text)
  return Buffer.from(text.slice(textMark.length), 'base64url').toString('utf8')
}

function padBase64(safe: string): string {
  const digits = safe.replaceAll('-', '+').replaceAll('_', '/')
  return digits.padEnd(Math.ceil(digits.length / 4) * 4, '=')
}
