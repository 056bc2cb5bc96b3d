import { Text } from '@mantine/core'
import { CatchBoundary } from '@tanstack/react-router'
import { lazy, Suspense, useDeferredValue } from 'react'
import classes from './rounds.module.css'

/** Loaded with the first answer. If its code cannot be loaded, answers are shown as plain text. */
const Markdown = lazy(() =>
  import('./markdown/markdown.tsx').catch(() => ({ default: ({ text }: { text: string }) => <>{text}</> })),
)

/**
 * Longer answers are not formatted: with each new piece of text, the browser would be busy with nothing
 * else.
 */
const mostLaidOut = 100_000
/** Text beyond this is not shown at all; the copy button copies all of it. */
const mostShown = 500_000

/** How much of the end of a long answer is shown while it grows. */
const shownOfGrowing = 10_000

interface AnswerTextProps {
  text: string
  isGrowing: boolean
}

/** A model's answer, with its Markdown formatted. */
export function AnswerText({ text, isGrowing }: AnswerTextProps) {
  // Typing has priority over drawing the answer.
  const latest = useDeferredValue(text)
  if (latest === '') return null
  if (latest.length > mostLaidOut) return isGrowing ? <Growing text={latest} /> : <LongText text={latest} />
  const plain = <Text className={classes.text}>{latest}</Text>
  return (
    // A model's text must never break the page.
    <CatchBoundary getResetKey={() => ''} errorComponent={() => plain}>
      <Suspense fallback={plain}>
        <Markdown text={latest} />
      </Suspense>
    </CatchBoundary>
  )
}

function Growing({ text }: { text: string }) {
  return (
    <>
      <Text size="xs" c="dimmed" mb="xs">
        Long answer: only the end is shown while it is being written.
      </Text>
      <Text className={classes.text}>{text.slice(-shownOfGrowing)}</Text>
    </>
  )
}

function LongText({ text }: { text: string }) {
  const hidden = text.length - mostShown
  return (
    <>
      <Text size="xs" c="dimmed" mb="xs">
        Long answer, shown as plain text.
        {hidden > 0 &&
          ` The last ${hidden.toLocaleString('en-US')} characters are not shown. Copy the answer to ` +
            `get all of it.`}
      </Text>
      <Text className={classes.text}>{text.slice(0, mostShown)}</Text>
    </>
  )
}
