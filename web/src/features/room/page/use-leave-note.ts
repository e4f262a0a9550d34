import { useEffect, useState } from 'react'
import { useLostSince } from '../../../api/connection.ts'
import { type CommandId, runCommand, useCommand } from '../state/commands.ts'

/**
 * Runs the keys of the reply from an internal note too: it first leaves the note, which keeps its draft. Without this
 * Alt+P does nothing there, and the amount and Enter that follow add it as a note.
 */
export const useLeaveNote = (isNote: boolean, leave: () => void) => {
  const [next, setNext] = useState<CommandId>()
  const isLost = useLostSince() !== undefined
  const leaveFor = (id: CommandId) => {
    if (!isNote) return undefined
    return () => {
      leave()
      setNext(id)
    }
  }
  // Points cannot be opened without a connection: what is typed next stays in the note.
  useCommand('points', isLost ? undefined : leaveFor('points'))
  useCommand('quote', leaveFor('quote'))
  useCommand('photo', leaveFor('photo'))
  useCommand('file', leaveFor('file'))
  useCommand('voice', leaveFor('voice'))
  useEffect(() => {
    if (isNote || !next) return
    setNext(undefined)
    runCommand(next)
  }, [isNote, next])
}
