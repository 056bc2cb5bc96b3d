import { invalidRequest, type ContentBlock } from '@turnpike/protocol'
import type { GeminiTraits } from '../../../model-traits.ts'
import { Positions } from '../../../requests/fields/requested-message-fields.ts'
import { toolArguments } from '../../../requests/tool-arguments.ts'
import { foreignSignature, thoughtFormat } from '../../thought-format.ts'
import { formatMedia, type Part } from './media.ts'
import { parseToolCallId } from '../../tool-call-id.ts'
import type { EarlierCall } from './tool-result.ts'

type ToolCallBlock = Extract<ContentBlock, { kind: 'tool-call' }>
type ReasoningBlock = Extract<ContentBlock, { kind: 'reasoning' }>

/** The model's text and calls in one message. */
interface ModelMessage {
  parts: Part[]
  calls: EarlierCall[]
}

/**
 * @param path of the message in the caller's request, for errors
 * @throws {GatewayError} 400 for arguments that are not a JSON object, and for parts that Google cannot read
 */
export function formatModelMessage(
  blocks: readonly ContentBlock[],
  path: string,
  model: GeminiTraits,
): ModelMessage {
  const textParts: Part[] = []
  const signatures: string[] = []
  const calling: Part[] = []
  const calls: EarlierCall[] = []
  const positions = new Positions(path)
  for (const block of blocks) {
    const at = positions.of(block)
    switch (block.kind) {
      case 'reasoning':
        if (block.format === thoughtFormat) addThought(block, textParts, signatures)
        break
      case 'tool-call':
        calling.push(formatCall(block, at))
        calls.push({ id: block.id, name: block.name })
        break
      case 'text':
      case 'refusal':
        if (block.text !== '') textParts.push({ text: block.text })
        break
      case 'image':
      case 'audio':
      case 'document':
        textParts.push(formatMedia(block, at))
        break
      case 'raw':
        if (block.format === 'google-generate') {
          textParts.push(block.value as Part)
          break
        }
        throw invalidRequest(at, `${at}: Google's models do not support this kind of part.`)
    }
  }
  sign(textParts, signatures)
  const [first] = calling
  // Only the first call of a step is signed, not the calls beside it.
  if (first !== undefined && model.demandsSignatures) first['thoughtSignature'] ??= foreignSignature
  return { parts: [...textParts, ...calling], calls }
}

function addThought(
  { text, signature, encrypted }: ReasoningBlock,
  textParts: Part[],
  signatures: string[],
): void {
  if (text !== '') {
    textParts.push({
      text,
      thought: true,
      ...(signature === undefined ? {} : { thoughtSignature: signature }),
    })
  }
  if (encrypted !== undefined) signatures.push(encrypted)
}

/** The last signature belongs to the text that it came with, or after. Earlier ones stand alone. */
function sign(textParts: Part[], signatures: readonly string[]): void {
  const last = signatures.at(-1)
  if (last === undefined) return
  for (const thoughtSignature of signatures.slice(0, -1)) textParts.unshift({ text: '', thoughtSignature })
  const text = textParts.findLast(
    (part) => part['thought'] !== true && part['thoughtSignature'] === undefined,
  )
  if (text === undefined) textParts.push({ text: '', thoughtSignature: last })
  else text['thoughtSignature'] = last
}

function formatCall(block: ToolCallBlock, path: string): Part {
  const { googleId, thoughtSignature } = parseToolCallId(block.id)
  const id = googleId === undefined ? {} : { id: googleId }
  const functionCall = { ...id, name: block.name, args: argumentsOf(block, path) }
  return { functionCall, ...(thoughtSignature === undefined ? {} : { thoughtSignature }) }
}

/** Google only accepts an object, so a custom tool's text becomes a field of one. */
function argumentsOf({ variant, arguments: text }: ToolCallBlock, path: string): Record<string, unknown> {
  if (variant === 'custom') return { input: text }
  return toolArguments(text, `${path}.${variant === 'function' ? 'function' : 'function_call'}.arguments`)
}
