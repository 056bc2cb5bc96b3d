import { Modal, type ModalProps } from '@mantine/core'
import { useEffect, useRef } from 'react'

/**
 * A dialog that gives the focus back to the element that opened it. If that was a menu item, which is gone
 * by then, the menu's button gets it; if that is gone too, the page.
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
      returnFocus={false} // At this moment the dialog still exists, and would keep the focus.
      onExitTransitionEnd={() => requestAnimationFrame(() => requestAnimationFrame(focusAgain))}
      {...props}
    />
  )
}

/** The element that opened the current dialog, or the one before it. */
let lastOpener: Element | null = null

function openerOf(active: Element | null): Element | null {
  // A dialog that follows another was opened by the same element.
  if (document.querySelector('[role=dialog]') !== null) return lastOpener
  const menu = active?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  return menu === undefined || menu === null ? active : document.getElementById(menu)
}

function focusAgain(): void {
  const opener = lastOpener
  // Another dialog has followed this one, and has the focus.
  if (document.querySelector('[role=dialog]') !== null) return
  const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body
  const target = isThere ? opener : document.getElementById('page')
  target?.focus()
}
