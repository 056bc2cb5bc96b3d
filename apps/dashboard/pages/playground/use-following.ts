import { useEffect, useRef } from 'react'
import type { Conversation } from './conversation/conversation.ts'

/** A reader who is further from the end is reading something else. */
const nearPx = 160

/** Keeps the end of a growing answer in view, unless the reader has scrolled up. */
export function useFollowing(conversation: Conversation): void {
  const isNear = useRef(true)
  const count = conversation.rounds.length
  useEffect(() => {
    const look = (): void => {
      const { scrollHeight } = document.documentElement
      isNear.current = scrollHeight - innerHeight - scrollY < nearPx
    }
    window.addEventListener('scroll', look, { passive: true })
    return () => window.removeEventListener('scroll', look)
  }, [])
  // A new question scrolls to its answer.
  useEffect(() => {
    if (count > 0) isNear.current = true
  }, [count])
  useEffect(() => {
    if (isNear.current && conversation.rounds.length > 0)
      window.scrollTo({ top: document.documentElement.scrollHeight })
  }, [conversation.rounds])
}
