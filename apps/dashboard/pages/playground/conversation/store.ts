import type { Settings } from '../settings/settings.ts'
import { plainSettings } from '../settings/settings.ts'
import type { Conversation, Round, Step, StepFacts } from './conversation.ts'

/** The state of the page. */
export interface PlaygroundState {
  conversation: Conversation
  /** The places whose model is answering. */
  running: ReadonlySet<number>
  /** The error that refused the last question; the question is in the composer again. */
  error: unknown
  /** The text in the composer. */
  draft: string
}

/**
 * The current conversation, in this tab's memory: answers continue while other pages are open. Each change
 * makes a new object, so that unchanged parts are not drawn again.
 */
export class PlaygroundStore {
  #state: PlaygroundState = { conversation: newConversation(plainSettings), ...nothingRunning, draft: '' }
  readonly #listeners = new Set<() => void>()

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly read = (): PlaygroundState => this.#state

  change(changes: Partial<PlaygroundState>): void {
    this.#state = { ...this.#state, ...changes }
    for (const listener of this.#listeners) listener()
  }

  changeConversation(changes: Partial<Conversation>): void {
    this.change({ conversation: { ...this.#state.conversation, ...changes } })
  }

  /** Shows another conversation, or an empty one with the same settings. */
  show(conversation: Conversation = newConversation(this.#state.conversation.settings)): void {
    this.change({ conversation, ...nothingRunning })
  }

  setRunning(place: number, isRunning: boolean): void {
    const running = new Set(this.#state.running)
    if (isRunning) running.add(place)
    else running.delete(place)
    this.change({ running })
  }

  addRound(round: Round): void {
    this.changeConversation({ rounds: [...this.#state.conversation.rounds, round] })
  }

  removeLastRound(): void {
    this.changeConversation({ rounds: this.#state.conversation.rounds.slice(0, -1) })
  }

  /** @param change changes the steps of the last round at a place */
  changeAnswers(conversationId: string, place: number, change: (steps: readonly Step[]) => Step[]): void {
    const { conversation } = this.#state
    const round = conversation.rounds.at(-1)
    // Another conversation was opened meanwhile.
    if (conversation.id !== conversationId || round === undefined) return
    const changed = { ...round, answers: withAt(round.answers, place, change(round.answers[place] ?? [])) }
    this.changeConversation({ rounds: [...conversation.rounds.slice(0, -1), changed] })
  }

  /** Adds facts about an answer that became known later. */
  addFacts(conversationId: string, found: (step: Step) => boolean, facts: Partial<StepFacts>): void {
    const { conversation } = this.#state
    if (conversation.id !== conversationId) return
    const withFacts = (step: Step): Step =>
      found(step) ? { ...step, facts: { ...step.facts, ...facts } } : step
    this.changeConversation({
      rounds: conversation.rounds.map((round) =>
        round.answers.some((steps) => steps.some(found))
          ? { ...round, answers: round.answers.map((steps) => steps.map(withFacts)) }
          : round,
      ),
    })
  }
}

const nothingRunning = { running: new Set<number>(), error: undefined }

function newConversation(settings: Settings): Conversation {
  const nowMs = Date.now()
  return { id: crypto.randomUUID(), createdMs: nowMs, changedMs: nowMs, models: [], settings, rounds: [] }
}

function withAt<Value>(list: readonly (readonly Value[])[], place: number, value: readonly Value[]) {
  const length = Math.max(list.length, place + 1)
  return Array.from({ length }, (_, index) => (index === place ? value : (list[index] ?? [])))
}

/** One per tab. */
export const playground = new PlaygroundStore()
