import { Text } from '@mantine/core'
import { CatchBoundary } from '@tanstack/react-router'
import { lazy, Suspense, useDeferredValue } from 'react'
import classes from './rounds.module.css'

/** It comes with the first answer. Where it does not arrive, answers are shown as they were written. */
const Markdown = lazy(() =>
  import('./markdown/markdown.tsx').catch(() => ({ default: ({ text }: { text: string }) => <>{text}</> })),
)

/** More is not laid out while it grows: the browser would have nothing else to do. */
const mostLaidOut = 100_000
/** More is not shown at all; to copy it gives it whole. */
const mostShown = 500_000

/** Of a long answer that grows: what can be read in passing. */
const shownOfGrowing = 10_000

interface AnswerTextProps {
  text: string
  isGrowing: boolean
}

/** What a model wrote, laid out as it meant it. */
export function AnswerText({ text, isGrowing }: AnswerTextProps) {
  // What is typed meanwhile comes first.
  const latest = useDeferredValue(text)
  if (latest === '') return null
  if (latest.length > mostLaidOut) return isGrowing ? <Growing text={latest} /> : <LongText text={latest} />
  const plain = <Text className={classes.text}>{latest}</Text>
  return (
    // Whatever a model writes, the page stays.
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
