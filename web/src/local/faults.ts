/** What can go wrong with a file that is read in parts, in a sentence that says what to do. */

/** Kinds of faults. */
export type FaultKind =
  | 'offline'
  | 'mixed'
  | 'unreachable'
  | 'forbidden'
  | 'missing'
  | 'status'
  | 'whole'
  | 'changed'
  | 'cut'
  | 'model'
  | 'gone'
  | 'memory'
  | 'module'
  | 'broken';

/** Trying again may help. */
const PASSING: readonly FaultKind[] = ['offline', 'unreachable', 'status', 'cut', 'module', 'memory'];

export class Fault extends Error {
  constructor(
    readonly kind: FaultKind,
    message: string,
    /** The address of the file, if it is one on a server. */
    readonly url?: string,
  ) {
    super(message);
  }

  /** Whether the same request will fail again. */
  get isFinal(): boolean {
    return !PASSING.includes(this.kind);
  }
}

/** The name of a file for people, and that of its server. */
export function named(url: string): { file: string; host: string } {
  const { pathname, host } = new URL(url);
  const last = pathname.slice(pathname.lastIndexOf('/') + 1);
  let file = last;
  try {
    file = decodeURIComponent(last);
  } catch {
    // Not text in UTF-8: the name stays as it is in the address.
  }
  return { file: file === '' ? pathname : file, host };
}

const DOWNLOAD = 'download the file and drop it on this page';

/** The fault of a file on a server. */
export function faultOf(kind: FaultKind, url: string, status = 0): Fault {
  const { file, host } = named(url);
  return new Fault(kind, sentence(kind, file, host, status), url);
}

function sentence(kind: FaultKind, file: string, host: string, status: number): string {
  switch (kind) {
    case 'offline':
      return `This computer is offline, and ${file} is on ${host}. Connect to the network, then try again.`;
    case 'mixed':
      return `The browser refuses to read ${file} because its address begins with http: and that of this page with https:. Give an address with https:, or ${DOWNLOAD}.`;
    case 'unreachable':
      return `${host} does not answer. Check the address and your connection, then try again.`;
    case 'forbidden':
      return `${host} does not let pages of other servers read ${file}. Ask its owner to allow it (CORS), or ${DOWNLOAD}.`;
    case 'missing':
      return `${host} has no file ${file} at this address (status ${status}). Check the address; if this is your site, copy the file there again.`;
    case 'status':
      return `${host} refused to send ${file} (status ${status}). Wait a moment, then try again.`;
    case 'whole':
      return `${host} does not send parts of a file, which this page needs to find games without loading all of ${file}. If this is your site, use a server that answers range requests: nginx, Apache, Caddy, GitHub Pages and S3 do, python3 -m http.server does not. Otherwise ${DOWNLOAD}.`;
    case 'changed':
      return `${file} was replaced on ${host} while this page read it. Reload the page.`;
    case 'model':
      return `${file} on ${host} is damaged, or of another version of ign. If this is your site, make it again and copy the whole folder.`;
    case 'cut':
      return `The connection to ${host} was cut several times while ${file} was read. Try again.`;
    case 'gone':
      return `${file} was changed or removed after you chose it. Choose it again.`;
    case 'memory':
      return 'The browser has not enough memory for this search. Close other tabs and try again, or add conditions.';
    case 'module':
      return 'The part of this page that reads archives could not be loaded. Check your connection, then reload the page.';
    case 'broken':
      return 'The part of this page that reads archives failed. Reload the page, and please report it with this address.';
  }
}

/** The fault of a file that was chosen on this computer. */
export const fileFault = (name: string): Fault => new Fault('gone', sentence('gone', name, '', 0));

/** A fault of this page, not of a file. */
export const ownFault = (kind: 'memory' | 'module' | 'broken'): Fault =>
  new Fault(kind, sentence(kind, '', '', 0));
