import { createHash } from 'node:crypto'
import type { ContentBlock, Message, ModelRequest, ReasoningOptions, Tool } from '@turnpike/protocol'
import type { OutputBoundField } from '../../requests/output-bounds.ts'
import { withInstructedSchema } from '../../requests/schemas/schema-instruction.ts'
import { withDocumentsAsText } from '../../requests/text-documents.ts'
import { withoutThought } from '../../requests/thoughts-in-ids.ts'
import type { VendorQuirks } from '../../vendor-quirks.ts'
import type { Target } from '../../vendor.ts'
import { effortOfBudget, fittingEffort } from '../../requests/openai-effort.ts'
import { withToolMediaApart } from './tool-media.ts'
import { holdToSchema, isStrictSchema } from '../../requests/schemas/strict-schema.ts'

/** A server of which nothing is known but that it speaks the format. */
const plain: VendorQuirks = {
  takesStreamOptions: true,
  outputBoundField: undefined,
  reasoningBoundField: undefined,
  refusesReasoning: false,
  refusesDeveloper: false,
  takesOpenRouterWords: false,
  schemas: undefined,
}

/**
 * A request that was written in another format, in the words that this vendor takes: OpenRouter's are
 * refused by others, and models that do not think refuse to be told how much to think.
 */
export function fitRequest(request: ModelRequest, target: Target): ModelRequest {
  const quirks = target.quirks ?? plain
  const said = quirks.schemas === 'instructed' ? withInstructedSchema(request) : request
  const plainly = withToolMediaApart(withDocumentsAsText(said.messages))
  const messages = plainly.map((message) => fitMessage(message, quirks))
  const tools = quirks.takesOpenRouterWords ? request.tools : request.tools.map(withoutCache)
  return {
    ...said,
    model: target.model,
    messages,
    tools: tools.map(withKeptPromise),
    output: holdToSchema(said.output, quirks.schemas),
    user: fitUser(request.user),
    reasoning: fitReasoning(request, target, quirks),
  }
}

/** The same of what tools are called with. */
function withKeptPromise(tool: Tool): Tool {
  if (tool.kind === 'raw' || tool.strict !== true || isStrictSchema(tool.parameters)) return tool
  const { strict: _promise, ...rest } = tool
  return rest
}

/** Characters that OpenAI takes, of a user's name and of a call's. */
const maxUserLength = 64
const maxCallIdLength = 40

/**
 * Claude Code's user is 190 characters of JSON, which OpenAI refuses ("Invalid 'user': string too long.
 * Expected a string with maximum length 64"): a longer one goes as its SHA-256, always the same for the same
 * user.
 */
function fitUser(user: string | undefined): string | undefined {
  return user === undefined || user.length <= maxUserLength ? user : sha256(user)
}

/** A call and its result keep one identifier, however long another vendor's is. */
function fitCallId(id: string): string {
  const own = withoutThought(id)
  return own.length <= maxCallIdLength ? own : `call_${sha256(own).slice(0, 32)}`
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** In which word the bound goes out, where the caller's format has another one. */
export function outputBoundFieldOf({ quirks = plain, supportedParameters }: Target): OutputBoundField {
  const { outputBoundField, reasoningBoundField } = quirks
  const reasons = supportedParameters.includes('reasoning')
  return (reasons ? reasoningBoundField : undefined) ?? outputBoundField ?? 'max_tokens'
}

export function takesStreamOptions({ quirks = plain }: Target): boolean {
  return quirks.takesStreamOptions
}

function fitMessage(message: Message, quirks: VendorQuirks): Message {
  const content = message.content.flatMap((block) => fitBlock(block, quirks))
  switch (message.role) {
    case 'developer':
      return { ...message, role: quirks.refusesDeveloper ? 'system' : 'developer', content }
    case 'tool': {
      const { failed, ...result } = { ...message, content, toolCallId: fitCallId(message.toolCallId) }
      return failed === true && quirks.takesOpenRouterWords ? { ...result, failed } : result
    }
    case 'system':
    case 'user':
    case 'assistant':
      return { ...message, content }
  }
}

function fitBlock(
  block: ContentBlock,
  { refusesReasoning, takesOpenRouterWords }: VendorQuirks,
): ContentBlock[] {
  if (block.kind === 'tool-call') return [{ ...withoutCache(block), id: fitCallId(block.id) }]
  if (block.kind !== 'reasoning') return [takesOpenRouterWords ? block : withoutCache(block)]
  if (takesOpenRouterWords) return [block]
  // What another vendor signed or encrypted proves nothing here.
  return refusesReasoning || block.format !== undefined ? [] : [block]
}

function withoutCache<Marked extends ContentBlock | Tool>(marked: Marked): Marked {
  if (!('cache' in marked)) return marked
  const { cache: _hint, ...rest } = marked
  return rest as Marked
}

function fitReasoning(
  { reasoning }: ModelRequest,
  { traits, supportedParameters }: Target,
  { takesOpenRouterWords }: VendorQuirks,
): ReasoningOptions | undefined {
  if (reasoning === undefined || takesOpenRouterWords) return reasoning
  const known = supportedParameters.includes('reasoning') || supportedParameters.includes('reasoning_effort')
  if (!known) return undefined
  const effort = reasoning.effort ?? effortOfBudget(reasoning.budgetTokens)
  return effort === undefined ? undefined : { effort: fittingEffort(traits.openai.efforts, effort) }
}
