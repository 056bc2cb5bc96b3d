import { Group, Loader, Text } from '@mantine/core'
import { IconMessage } from '../../icons/icons.ts'
import { EmptyNote } from '../../components/empty-note.tsx'
import { Money } from '../../components/money.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { duration, wholeNumber } from '../../format/number.ts'
import { Routing } from './routing.tsx'
import type { Turn, TurnFacts } from './turn.ts'
import classes from './turns.module.css'

/** The conversation. Answers are announced once they are whole, not by the word. */
export function Turns({ turns, isAnswering }: { turns: Turn[]; isAnswering: boolean }) {
  if (turns.length === 0)
    return (
      <div className={classes.turns}>
        <EmptyNote icon={IconMessage} title="Ask something">
          Tokens, cost and the model that served stand below each answer.
        </EmptyNote>
      </div>
    )
  return (
    <div className={classes.turns} role="log" aria-busy={isAnswering}>
      {turns.map((turn, index) => (
        <div key={index} className={classes.turn} data-role={turn.role}>
          {turn.reasoning !== '' && (
            <Text size="sm" c="dimmed" mb="xs" className={classes.text}>
              {turn.reasoning}
            </Text>
          )}
          <Text className={classes.text}>{turn.text}</Text>
          {turn.role === 'assistant' && <Facts facts={turn.facts} />}
        </div>
      ))}
      {isAnswering && <Loader type="dots" size="sm" aria-label="The model is answering" />}
    </div>
  )
}

function Facts({ facts }: { facts: TurnFacts }) {
  const { model, tier, route, costUsd, tokensIn, tokensOut, firstTokenMs, requestId, problem } = facts
  return (
    <>
      {problem !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert" mt="xs">
          {problem}
        </Text>
      )}
      <Group gap="md" mt="sm" className={classes.facts}>
        {costUsd !== undefined && (
          <Text size="xs" fw={600}>
            <Money amount={costUsd} exact />
          </Text>
        )}
        {tokensIn !== undefined && tokensOut !== undefined && (
          <span>
            {wholeNumber(tokensIn)} in, {wholeNumber(tokensOut)} out
          </span>
        )}
        {firstTokenMs !== undefined && <span>first token after {duration(firstTokenMs)}</span>}
        {model !== undefined && <span>{model}</span>}
        {tier !== undefined && <span>{route === undefined ? tier : `${tier}: ${route}`}</span>}
        {requestId !== undefined && facts.isDone === true && (
          <PageLink to="/requests/$requestId" params={{ requestId }} size="xs">
            Details
          </PageLink>
        )}
      </Group>
      {tier !== undefined && requestId !== undefined && facts.isDone === true && (
        <Routing requestId={requestId} />
      )}
    </>
  )
}
