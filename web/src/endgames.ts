/**
 * Endings by the names that players give them, each a condition on material. A number of pawns that the name does not
 * state is any number; either side can be the stronger one.
 */

export interface Endgame {
  name: string;
  /** The value of the condition `material`. */
  material: string;
}

const endgame = (name: string, material: string): Endgame => ({ name, material });

export const ENDGAMES: readonly Endgame[] = [
  endgame('Rook ending', 'QqBbNn=0,R=1..,r=1..'),
  endgame('Pawn ending', 'QRBNqrbn=0,Pp=1..'),
  endgame('Queen ending', 'RrBbNn=0,Q=1..,q=1..'),
  endgame('Minor-piece ending', 'QqRr=0,BN=1..,bn=1..'),
  endgame('Bishop ending', 'QqRrNn=0,B=1..,b=1..'),
  endgame('Knight ending', 'QqRrBb=0,N=1..,n=1..'),
  endgame('Bishop against knight', 'QqRr=0,Bb=1,Nn=1,BN=1'),
  endgame('Rook against bishop or knight', 'Qq=0,Rr=1,BbNn=1,RBN=1'),
  endgame('Queen against rook', 'BbNn=0,Qq=1,Rr=1,QR=1'),
  endgame('Rook and one pawn against rook', 'KRPKR'),
  endgame('Queen against one pawn', 'KQKP'),
  endgame('Bishop and knight against king', 'KBNK'),
];

/** The name of a condition on material; undefined if players have none for it. */
export const endgameName = (material: string): string | undefined =>
  ENDGAMES.find((one) => one.material === material)?.name;
