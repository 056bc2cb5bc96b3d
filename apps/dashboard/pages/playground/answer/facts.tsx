import { Group, Text } from '@mantine/core'
import { CopyIcon } from '../../../components/copy-icon.tsx'
import { Money } from '../../../components/money.tsx'
import { PageLink } from '../../../components/page-link.tsx'
import { duration, wholeNumber } from '../../../format/number.ts'
import type { Step } from '../conversation/conversation.ts'
import { Routing } from './routing.tsx'
import classes from './rounds.module.css'

/** Ends of answers other than the model's own. */
const finishes: Record<string, string> = {
  length: 'cut off at the token limit',
  content_filter: 'withheld by the vendor',
}

/** Tokens, time, cost and model, below the answer. */
export function Facts({ step }: { step: Step }) {
  const { text, facts } = step
  const { model, tier, route, tokensIn, tokensOut, firstTokenMs, requestId, state, finish } = facts
  const isOver = state !== 'running'
  const isKnown = isOver && requestId !== undefined
  return (
    <>
      <Group gap="md" mt="sm" className={classes.facts}>
        {isOver && text !== '' && <CopyIcon value={text} label="Copy the answer" />}
        <Cost step={step} />
        {tokensIn !== undefined && tokensOut !== undefined && (
          <span>
            {wholeNumber(tokensIn)} in, {wholeNumber(tokensOut)} out
          </span>
        )}
        {firstTokenMs !== undefined && <span>first token after {duration(firstTokenMs)}</span>}
        <Speed step={step} />
        {model !== undefined && <span>{model}</span>}
        {tier !== undefined && <span>{route === undefined ? tier : `${tier}: ${route}`}</span>}
        {finish !== undefined && finishes[finish] !== undefined && <span>{finishes[finish]}</span>}
        {isKnown && (
          <PageLink to="/requests/$requestId" params={{ requestId }} size="xs">
            Details
          </PageLink>
        )}
      </Group>
      {tier !== undefined && isKnown && <Routing requestId={requestId} />}
    </>
  )
}

/** Also shown for an answer that was stopped or broke off, once the gateway has charged it. */
function Cost({ step: { facts } }: { step: Step }) {
  const { costUsd, isEstimated, state, firstTokenMs } = facts
  const isToCome = state === 'stopped' || (state === 'failed' && firstTokenMs !== undefined)
  return (
    <>
      {state === 'stopped' && <span>stopped</span>}
      {costUsd === undefined && isToCome && <span role="status">cost pending</span>}
      {costUsd !== undefined && (
        <Text size="xs" fw={600} component="span">
          <Money amount={costUsd} exact />
          {isEstimated === true && ' (estimated)'}
        </Text>
      )}
    </>
  )
}

const secondMs = 1000

function Speed({ step: { facts } }: { step: Step }) {
  const { tokensOut = 0, firstTokenMs, totalMs } = facts
  if (firstTokenMs === undefined || totalMs === undefined) return null
  const seconds = (totalMs - firstTokenMs) / secondMs
  // Meaningless for an answer that arrived in one piece.
  if (tokensOut < 10 || seconds < 0.2) return null
  return <span>{wholeNumber(Math.round(tokensOut / seconds))} tokens/s</span>
}
