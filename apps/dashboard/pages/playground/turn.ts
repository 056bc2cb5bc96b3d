/** One question or answer of a conversation. */
export interface Turn {
  role: 'user' | 'assistant'
  text: string
  /** What the model thought, where it says so. */
  reasoning: string
  facts: TurnFacts
}

/** What is known of an answer; each part as soon as it is. */
export interface TurnFacts {
  model?: string
  /** Of auto-routing. */
  tier?: string
  route?: string
  costUsd?: string
  tokensIn?: number
  tokensOut?: number
  firstTokenMs?: number
  requestId?: string
  /** Why it broke off. */
  problem?: string
  isDone?: boolean
}

export function question(text: string): Turn {
  return { role: 'user', text, reasoning: '', facts: {} }
}

export const emptyAnswer: Turn = { role: 'assistant', text: '', reasoning: '', facts: {} }
