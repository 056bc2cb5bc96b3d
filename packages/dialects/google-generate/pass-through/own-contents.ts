import type { GenerateCall } from '../../call.ts'
import { isForeignProof } from '../caller/reasoning-proof.ts'
import { foreignSignature, thoughtFormat } from '../thought-format.ts'

interface InputPart {
  thought?: unknown
  thoughtSignature?: unknown
  thought_signature?: unknown
  functionCall?: unknown
  function_call?: unknown
}

interface InputContent {
  parts?: InputPart | InputPart[]
}

/** Whether the conversation was at another vendor before, whose thoughts Google refuses. */
export function holdsForeign({ request: { messages }, tellsReasoning }: GenerateCall): boolean {
  if (!tellsReasoning) return false
  for (const { role, content } of messages) {
    if (role !== 'assistant') continue
    for (const block of content) if (block.kind === 'reasoning' && block.format !== thoughtFormat) return true
  }
  return false
}

/**
 * The contents as Google accepts them: without signatures that it did not make.
 * @param contents their JSON as the caller wrote it
 * @param withoutProofs also removes signatures that it did make
 */
export function ownContents(contents: Buffer, withoutProofs: boolean): string {
  const parsed = JSON.parse(contents.toString('utf8')) as InputContent | InputContent[]
  for (const content of Array.isArray(parsed) ? parsed : [parsed]) {
    const { parts } = content
    for (const part of Array.isArray(parts) ? parts : parts === undefined ? [] : [parts])
      unsign(part, withoutProofs)
  }
  return JSON.stringify(parsed)
}

function unsign(part: InputPart, withoutProofs: boolean): void {
  for (const name of ['thoughtSignature', 'thought_signature'] as const) {
    const signature = part[name]
    if (typeof signature !== 'string' || !(withoutProofs || isForeignProof(signature))) continue
    const isCall = (part.functionCall ?? part.function_call ?? null) !== null
    if (isCall) part[name] = foreignSignature
    else delete part[name]
  }
}
