import type { ScriptBill } from '../vendor/script.ts'
import { SandboxError } from './error.ts'
import { withoutKnobs, type Knobs } from './knobs.ts'
import { loremTokens } from './lorem.ts'
import type { SandboxModel } from './models.ts'
import type { SandboxRequest, SandboxTool } from './request.ts'
import { schemaValue } from './schema-value.ts'
import { countTokens, tokenize } from './tokens.ts'

/** A sandbox model's answer in tokens, before it becomes a body or a stream. */
export interface Answer {
  choices: AnswerChoice[]
  bill: ScriptBill
}

export interface AnswerChoice {
  reasoning: string[]
  content: string[]
  toolCalls: AnswerToolCall[]
  finish: 'stop' | 'length' | 'tool_calls'
}

interface AnswerToolCall {
  id: string
  name: string
  nameTokens: number
  arguments: string[]
}

/** OpenAI adds the same: three tokens per message and three to begin the answer. */
const tokensAroundMessage = 3
const shortestLorem = 64
const loremSpread = 129

export interface AnswerContext {
  request: SandboxRequest
  knobs: Knobs
  model: SandboxModel
  /** The same request has the same seed, so it gets the same answer. */
  seed: number
}

/** @throws {SandboxError} 400 if the prompt is too long or `tool=` names no tool of the request */
export function composeAnswer(context: AnswerContext): Answer {
  const { request, knobs, model } = context
  const promptTokens = countPrompt(request)
  if (promptTokens > model.contextLength)
    throw new SandboxError(
      400,
      `This model's maximum context length is ${model.contextLength} tokens. ` +
        `However, your messages resulted in ${promptTokens} tokens. ` +
        'Please reduce the length of the messages.',
      { param: 'messages', code: 'context_length_exceeded' },
    )
  const choices: AnswerChoice[] = []
  for (let index = 0; index < request.choices; index++) choices.push(composeChoice(context, index))
  let completionTokens = 0
  const unseen = (context.knobs.unseen ?? 0) * request.choices
  completionTokens += unseen
  let reasoningTokens = unseen
  for (const choice of choices) {
    completionTokens += choice.reasoning.length + choice.content.length
    reasoningTokens += choice.reasoning.length
    for (const call of choice.toolCalls) completionTokens += call.nameTokens + call.arguments.length
  }
  const cachedTokens = Math.min(knobs.cached ?? 0, promptTokens)
  const reported = knobs.no_usage !== true
  const bill = { promptTokens, cachedTokens, completionTokens, reasoningTokens, reported }
  return { choices, bill: knobs.usage === undefined ? bill : { ...bill, told: knobs.usage } }
}

function countPrompt(request: SandboxRequest): number {
  let total = tokensAroundMessage
  for (const message of request.messages) total += tokensAroundMessage + countTokens(message.text)
  for (const tool of request.tools)
    total += countTokens(tool.name) + countTokens(JSON.stringify(tool.parameters ?? {}))
  return total
}

function composeChoice(context: AnswerContext, index: number): AnswerChoice {
  const { request, knobs, model, seed } = context
  const most = Math.min(request.maxTokens ?? model.maxOutputTokens, model.maxOutputTokens)
  const limit = knobs.ignore_bound === true ? Infinity : Math.max(0, most - (knobs.unseen ?? 0))
  const reasoning = loremTokens(Math.min(knobs.reasoning ?? 0, limit), seed + index)
  const left = limit - reasoning.length
  const tools = toolsToCall(request, knobs)
  if (tools.length > 0) return callTools(context, tools, { index, reasoning, left })
  const natural = naturalText(context, index, left)
  const stopAt = firstStop(natural, request.stop)
  const content = tokenize(stopAt === -1 ? natural : natural.slice(0, stopAt))
  const whole = content.length <= left
  return {
    reasoning,
    content: whole ? content : content.slice(0, left),
    toolCalls: [],
    finish: whole ? 'stop' : 'length',
  }
}

/** The text without regard to `max_tokens` and `stop`; at most one token longer than what is left. */
function naturalText(context: AnswerContext, index: number, left: number): string {
  const { request, knobs, model, seed } = context
  const spoken = withoutKnobs(lastUserText(request))
  if (request.output.type === 'json-schema') return JSON.stringify(schemaValue(request.output.schema))
  if (request.output.type === 'json-object') return JSON.stringify({ text: spoken })
  if (model.id.endsWith('/echo') && spoken !== '') {
    if (knobs.tokens === undefined) return spoken
    const tokenCount = Math.min(knobs.tokens, left + 1)
    const tokens = tokenize(spoken)
    const again = tokenize(` ${spoken}`)
    while (tokens.length < tokenCount) for (const token of again) tokens.push(token)
    return tokens.slice(0, tokenCount).join('')
  }
  const unasked = shortestLorem + (seed % loremSpread)
  const isUnbound = request.maxTokens === undefined || knobs.ignore_bound === true
  const tokenCount = knobs.tokens ?? (isUnbound ? unasked : Infinity)
  return loremTokens(Math.min(tokenCount, left + 1), seed + index).join('')
}

function firstStop(text: string, stops: string[]): number {
  const found = stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0)
  return found.length === 0 ? -1 : Math.min(...found)
}

export function lastUserText(request: SandboxRequest): string {
  return request.messages.findLast((message) => message.role === 'user')?.text ?? ''
}

function toolsToCall(request: SandboxRequest, knobs: Knobs): SandboxTool[] {
  const { tools, toolChoice } = request
  if (toolChoice.type === 'none') return []
  if (toolChoice.type === 'named') return tools.filter((tool) => tool.name === toolChoice.name).slice(0, 1)
  // The knob has no effect after tool results, so that an agent's loop ends.
  if (knobs.tool !== undefined && request.messages.at(-1)?.role !== 'tool')
    return knobs.tool.map((name) => {
      const tool = tools.find((one) => one.name === name)
      if (tool !== undefined) return tool
      throw new SandboxError(400, `The sandbox knob "tool" names "${name}", which 'tools' has not.`, {
        param: 'tools',
      })
    })
  return toolChoice.type === 'required' ? tools.slice(0, 1) : []
}

function callTools(
  context: AnswerContext,
  tools: SandboxTool[],
  choice: { index: number; reasoning: string[]; left: number },
): AnswerChoice {
  let left = choice.left
  let whole = true
  const toolCalls: AnswerToolCall[] = []
  for (const [position, tool] of tools.entries()) {
    const nameTokens = countTokens(tool.name)
    if (nameTokens > left) {
      whole = false
      break
    }
    const all = tokenize(JSON.stringify(schemaValue(tool.parameters ?? { type: 'object' })))
    const pieces = all.slice(0, left - nameTokens)
    whole &&= pieces.length === all.length
    left -= nameTokens + pieces.length
    const id = `call_${context.seed.toString(16).padStart(8, '0')}${choice.index}${position}`
    toolCalls.push({ id, name: tool.name, nameTokens, arguments: pieces })
  }
  // If the request named the tool to call, OpenAI ends with `stop`; otherwise with `tool_calls`.
  const ended = context.request.toolChoice.type === 'named' ? 'stop' : 'tool_calls'
  return { reasoning: choice.reasoning, content: [], toolCalls, finish: whole ? ended : 'length' }
}
