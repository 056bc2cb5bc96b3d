import type { Settings } from '../settings/settings.ts'
import type { Attachment, ReasoningDetail, ToolCall, Turn } from './turn.ts'

export interface Question {
  text: string
  attachments: readonly Attachment[]
}

/** One answer of a model: to a question, or to the results of the tools that it called before. */
export interface Step {
  text: string
  /** What the model thought, where it says so. */
  reasoning: string
  /** What must come back to it unchanged. */
  reasoningDetails: readonly ReasoningDetail[]
  toolCalls: readonly ToolCall[]
  /** What was answered to its calls, by their ids; absent: nothing yet. */
  results?: Readonly<Record<string, string>>
  facts: StepFacts
}

/** What is known of an answer; each part as soon as it is. */
export interface StepFacts {
  /** That was asked. */
  asked: string
  model?: string
  /** Of auto-routing. */
  tier?: string
  route?: string
  costUsd?: string
  /** The cost is the gateway's estimate: nobody told it the usage. */
  isEstimated?: boolean
  tokensIn?: number
  tokensOut?: number
  reasoningTokens?: number
  firstTokenMs?: number
  totalMs?: number
  requestId?: string
  /** Why it ended, where that was not of itself: `length`. */
  finish?: string
  /** Why it broke off. */
  problem?: string
  state: 'running' | 'done' | 'stopped' | 'failed'
}

/** A question, and what each of the models answered. */
export interface Round {
  question: Question
  /** By place: what stands on the left, what on the right. */
  answers: readonly (readonly Step[])[]
}

export interface Conversation {
  id: string
  createdMs: number
  changedMs: number
  models: readonly string[]
  settings: Settings
  rounds: readonly Round[]
}

export function newStep(asked: string): Step {
  return {
    text: '',
    reasoning: '',
    reasoningDetails: [],
    toolCalls: [],
    facts: { asked, state: 'running' },
  }
}

const titleCharacters = 60

export function titleOf({ rounds }: Pick<Conversation, 'rounds'>): string {
  const { text = '', attachments = [] } = rounds[0]?.question ?? {}
  const line = text
    .trim()
    .split('\n')[0]!
    .replace(/^[#>*\s-]+/, '')
  if (line === '') return attachments[0]?.name ?? 'No question yet'
  return line.length > titleCharacters ? `${line.slice(0, titleCharacters).trimEnd()}…` : line
}

/** Whether the model waits for the results of tools that it called. */
export function waitsForResults(step: Step | undefined): step is Step {
  return (
    step !== undefined &&
    step.toolCalls.length > 0 &&
    step.results === undefined &&
    step.facts.state === 'done'
  )
}

/** The answers of a place; where it was not asked then, those of the first one. */
function answersAt(round: Round, place: number): readonly Step[] {
  return round.answers[place] ?? round.answers[0] ?? []
}

/** The conversation as one of the models has had it, up to where it is to go on. */
export function turnsOf(rounds: readonly Round[], place: number): Turn[] {
  return rounds.flatMap((round) => [
    { role: 'user', ...round.question },
    ...answersAt(round, place).flatMap(turnsOfStep),
  ])
}

/** A call without a result would be refused: of such a step its text alone is kept. */
function turnsOfStep({ text, toolCalls, reasoningDetails, results }: Step): Turn[] {
  const calls = results === undefined ? [] : toolCalls
  if (text === '' && calls.length === 0) return []
  return [
    { role: 'assistant', text, toolCalls: calls, reasoningDetails },
    ...calls.map(({ id, name }): Turn => ({ role: 'tool', callId: id, name, text: results?.[id] ?? '' })),
  ]
}
