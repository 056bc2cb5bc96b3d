import { Alert, Button, Loader, Text, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { AttachmentList } from '../compose/attachment-list.tsx'
import type { Conversation, Round, Step } from '../conversation/conversation.ts'
import { AnswerText } from './answer-text.tsx'
import { Facts } from './facts.tsx'
import { Reasoning } from './reasoning.tsx'
import classes from './rounds.module.css'
import { ToolCalls } from './tool-calls.tsx'

interface RoundsProps {
  conversation: Conversation
  running: ReadonlySet<number>
  onResults: (place: number, results: Readonly<Record<string, string>>) => void
  onRetry: (place: number) => void
}

/** The conversation. Screen readers announce answers when they are complete, not word by word. */
export default function Rounds({ conversation, running, onResults, onRetry }: RoundsProps) {
  const { rounds } = conversation
  return (
    <div className={classes.rounds} role="log" aria-busy={running.size > 0}>
      {rounds.map((round, index) => {
        const isLast = index === rounds.length - 1
        return (
          <OneRound key={index} round={round}>
            {round.answers.map((steps, place) => (
              <Answer
                key={place}
                steps={steps}
                isBeside={round.answers.length > 1}
                isRunning={isLast && running.has(place)}
                {...(isLast && {
                  onResults: (results) => onResults(place, results),
                  onRetry: () => onRetry(place),
                })}
              />
            ))}
          </OneRound>
        )
      })}
    </div>
  )
}

function OneRound({ round: { question }, children }: { round: Round; children: ReactNode }) {
  return (
    <>
      <div className={classes.question}>
        <AttachmentList attachments={question.attachments} />
        {question.text !== '' && <Text className={classes.text}>{question.text}</Text>}
      </div>
      <div className={classes.answers}>{children}</div>
    </>
  )
}

interface AnswerProps {
  steps: readonly Step[]
  /** True if another model answered the same question. */
  isBeside: boolean
  isRunning: boolean
  onResults?: (results: Readonly<Record<string, string>>) => void
  onRetry?: () => void
}

/** One model's answer to a question. With tool calls it has several steps. */
function Answer({ steps, isBeside, isRunning, onResults, onRetry }: AnswerProps) {
  return (
    <div className={classes.answer}>
      <Name isShown={isBeside}>{steps[0]?.facts.asked ?? ''}</Name>
      {steps.map((step, index) => {
        const isLast = index === steps.length - 1
        return (
          <div key={index} className={classes.step}>
            <Reasoning step={step} />
            <AnswerText text={step.text} isGrowing={step.facts.state === 'running'} />
            <ToolCalls step={step} onResults={isLast && !isRunning ? onResults : undefined} />
            {step.facts.problem !== undefined && (
              <Problem text={step.facts.problem} {...(isLast && !isRunning && onRetry && { onRetry })} />
            )}
            <Facts step={step} />
          </div>
        )
      })}
      {isRunning && <Loader type="dots" size="sm" aria-label="The model is answering" />}
    </div>
  )
}

/** A heading for screen readers; visible if there are two answers. */
function Name({ isShown, children }: { isShown: boolean; children: string }) {
  return isShown ? (
    <Text component="h2" size="sm" fw={600} mt={0} mb="xs">
      {children}
    </Text>
  ) : (
    <VisuallyHidden component="h2">Answer of {children}</VisuallyHidden>
  )
}

function Problem({ text, onRetry }: { text: string; onRetry?: () => void }) {
  return (
    <Alert role="alert" color="var(--mantine-color-error)" variant="outline" mt="xs" p="xs">
      <Text size="sm" className={classes.text}>
        {text}
      </Text>
      {onRetry !== undefined && (
        <Button size="compact-xs" variant="default" mt={6} onClick={onRetry}>
          Try again
        </Button>
      )}
    </Alert>
  )
}
