import { wholeNumber } from '../../../format/number.ts'
import type { Step } from '../conversation/conversation.ts'
import classes from './rounds.module.css'

/** The model's reasoning before the answer, collapsed until opened. */
export function Reasoning({ step: { reasoning, text, facts } }: { step: Step }) {
  if (reasoning === '') return null
  const isThinking = facts.state === 'running' && text === ''
  const tokens = facts.reasoningTokens ?? 0
  const words = tokens > 0 ? `Thought for ${wholeNumber(tokens)} tokens` : 'Thoughts'
  return (
    <details className={classes.reasoning}>
      <summary>{isThinking ? 'Thinking…' : words}</summary>
      <p className={classes.text}>{reasoning}</p>
    </details>
  )
}
