/** The file of games that was dropped on the page. A reload of the page forgets it. */

import type { Game } from '../types.ts';
import { decode, gameOf, type Part, split } from './pgn.ts';

export class DroppedFile {
  readonly parts: readonly Part[];
  private readonly text: string;
  private last: Game | null = null;

  constructor(
    readonly file: File,
    bytes: ArrayBuffer,
  ) {
    this.text = decode(bytes);
    this.parts = split(this.text);
  }

  get name(): string {
    return this.file.name.replace(/\.pgn$/i, '');
  }

  /** A game by its number, from 1. */
  game(number: number): Game | null {
    if (this.last?.number === number) return this.last;
    const part = this.parts[number - 1];
    this.last = part ? gameOf(this.text, part, number, this.name) : null;
    return this.last;
  }

  textOf(number: number): string {
    const part = this.parts[number - 1];
    return part ? this.text.slice(part.start, part.end).trim() : '';
  }
}

let dropped: DroppedFile | null = null;

/** The file, if there is one. */
export const droppedFile = (): DroppedFile | null => dropped;

/** Closes the file. */
export function forgetFile(): void {
  dropped = null;
}

/** Reads a file in place of the one before. */
export async function takeFile(file: File): Promise<DroppedFile> {
  dropped = new DroppedFile(file, await file.arrayBuffer());
  return dropped;
}
