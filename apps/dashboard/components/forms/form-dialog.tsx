import { Modal, type ModalProps } from '@mantine/core'
import { useEffect, useRef } from 'react'

/**
 * A dialog that gives the focus back to what it was opened by. That may be the item of a menu, which is gone
 * by then: so to the menu's own button; and where that is gone too, to the page.
 */
export function FormDialog({ opened, ...props }: ModalProps) {
  const wasOpen = useRef(false)
  if (opened && !wasOpen.current) lastOpener = openerOf(document.activeElement)
  useEffect(() => {
    wasOpen.current = opened
  }, [opened])
  return (
    <Modal
      opened={opened}
      returnFocus={false} // The dialog is still there at this moment, and keeps the focus.
      onExitTransitionEnd={() => requestAnimationFrame(() => requestAnimationFrame(focusAgain))}
      {...props}
    />
  )
}

/** What the dialog that is open, or the one before it, was opened by. */
let lastOpener: Element | null = null

function openerOf(active: Element | null): Element | null {
  // One that follows another one has been opened by the same.
  if (document.querySelector('[role=dialog]') !== null) return lastOpener
  const menu = active?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  return menu === undefined || menu === null ? active : document.getElementById(menu)
}

function focusAgain(): void {
  const opener = lastOpener
  // Another dialog has followed this one, and has it.
  if (document.querySelector('[role=dialog]') !== null) return
  const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body
  const target = isThere ? opener : document.getElementById('page')
  target?.focus()
}
