(** Checkers of certificates, and proofs that they are right over the real numbers.

    Rows are canonical rows in one unit: a point is a list of whole numbers X, which stands for x = X / unit. A line is (w, b)
    with real w and b; it separates the rows if y (w.x + b) > 0 for each of them. The checkers compute with whole numbers
    only, so the kernel of Coq can run them on a certificate. *)

Require Import Reals ZArith List Bool Lia Lra Psatz.
Import ListNotations.
Open Scope Z_scope.

(** The label, true for +1, and the features times the unit. *)
Definition row : Type := bool * list Z.

Definition sign (y : bool) : Z := if y then 1 else -1.

(** * Lines and their margins, over the real numbers *)

(** w_k X_0 + w_(k+1) X_1 + ... *)
Fixpoint dot (w : nat -> R) (k : nat) (X : list Z) : R :=
  match X with
  | [] => 0%R
  | x :: t => (w k * IZR x + dot w (S k) t)%R
  end.

(** y (w.x + b). *)
Definition side (unit : positive) (w : nat -> R) (b : R) (r : row) : R :=
  (IZR (sign (fst r)) * (dot w 0 (snd r) / IZR (Zpos unit) + b))%R.

Definition separates unit w b (rows : list row) : Prop :=
  forall r, In r rows -> (0 < side unit w b r)%R.

(** w_k² + ... + w_(k+n-1)². *)
Fixpoint squares (w : nat -> R) (k n : nat) : R :=
  match n with
  | O => 0%R
  | S m => (w k * w k + squares w (S k) m)%R
  end.

(** The length of the weights of d features. *)
Definition norm (w : nat -> R) (d : nat) : R := sqrt (squares w 0 d).

(** Each row is on its side, at this distance from the line or more. *)
Definition has_margin unit d w b (m : R) (rows : list row) : Prop :=
  (0 < norm w d)%R /\ forall r, In r rows -> (m * norm w d <= side unit w b r)%R.

(** * Whole numbers *)

Fixpoint dotZ (W X : list Z) : Z :=
  match W, X with
  | w :: s, x :: t => w * x + dotZ s t
  | _, _ => 0
  end.

Fixpoint sumsq (X : list Z) : Z :=
  match X with
  | [] => 0
  | x :: t => x * x + sumsq t
  end.

Fixpoint add (X Y : list Z) : list Z :=
  match X, Y with
  | x :: s, y :: t => (x + y) :: add s t
  | [], _ => Y
  | _, [] => X
  end.

Definition times (c : Z) (X : list Z) : list Z := map (Z.mul c) X.

Definition fits (d : nat) (rows : list row) : bool :=
  forallb (fun r => Nat.leb (length (snd r)) d) rows.

(** Sum of n y X, of n y, and of n, over the rows. *)
Fixpoint combined (ns : list Z) (rows : list row) : list Z * Z * Z :=
  match ns, rows with
  | n :: s, (y, X) :: t =>
      let '(v, signed, total) := combined s t in
      (add (times (n * sign y) X) v, n * sign y + signed, n + total)
  | _, _ => ([], 0, 0)
  end.

Definition nonnegative (ns : list Z) : bool := forallb (Z.leb 0) ns.

(** * The checkers *)

(** The line (W, B) has a squared margin of p / q or more. *)
Definition check_separator unit (W : list Z) (B p q : Z) (rows : list row) : bool :=
  let n := sumsq W in
  let u := Zpos unit in
  (0 <=? p) && (0 <? q) && (0 <? n) && fits (length W) rows
  && forallb (fun r =>
       let s := sign (fst r) * (dotZ W (snd r) + B * u) in
       (0 <? s) && (p * n * (u * u) <=? q * (s * s))) rows.

(** The weights ns contradict any line. *)
Definition check_contradiction (ns : list Z) (rows : list row) : bool :=
  let '(v, signed, total) := combined ns rows in
  nonnegative ns && (signed =? 0) && (0 <? total) && forallb (Z.eqb 0) v.

(** No line has a squared margin above p / q. *)
Definition check_ceiling unit (d : nat) (ns : list Z) (p q : Z) (rows : list row) : bool :=
  let '(v, signed, total) := combined ns rows in
  let u := total * Zpos unit in
  nonnegative ns && (signed =? 0) && (0 <? total) && (0 <=? p) && (0 <? q) && fits d rows
  && (sumsq v * q <=? p * (u * u)).

(** * Lemmas *)

Open Scope R_scope.

Definition of_list (W : list Z) : nat -> R := fun k => IZR (nth k W 0%Z).

Lemma skipn_step : forall (W : list Z) k, skipn (S k) W = tl (skipn k W).
Proof. induction W as [|w W IH]; intros [|k]; try reflexivity. exact (IH k). Qed.

Lemma nth_skipn : forall (W : list Z) k, nth k W 0%Z = hd 0%Z (skipn k W).
Proof. induction W as [|w W IH]; intros [|k]; simpl; auto. Qed.

Lemma dot_of_list : forall X W k, dot (of_list W) k X = IZR (dotZ (skipn k W) X).
Proof.
  induction X as [|x X IH]; intros W k.
  - simpl. destruct (skipn k W); reflexivity.
  - cbn [dot]. rewrite IH, skipn_step. unfold of_list. rewrite nth_skipn.
    destruct (skipn k W) as [|w s]; cbn [hd tl dotZ].
    + lra.
    + rewrite plus_IZR, mult_IZR. reflexivity.
Qed.

Lemma squares_of_list : forall n W k, length (skipn k W) = n ->
  squares (of_list W) k n = IZR (sumsq (skipn k W)).
Proof.
  induction n as [|n IH]; intros W k H.
  - destruct (skipn k W); [reflexivity | discriminate].
  - cbn [squares]. rewrite (IH W (S k)); rewrite skipn_step; unfold of_list; rewrite ?nth_skipn;
      destruct (skipn k W) as [|w s]; try discriminate; cbn [hd tl sumsq].
    + rewrite plus_IZR, mult_IZR. reflexivity.
    + injection H. auto.
Qed.

Lemma squares_nonneg : forall n w k, 0 <= squares w k n.
Proof. induction n; intros; simpl; [lra | specialize (IHn w (S k)); nra]. Qed.

Lemma sumsq_nonneg : forall X, (0 <= sumsq X)%Z.
Proof. induction X; simpl; nia. Qed.

Lemma dot_add : forall X Y w k, dot w k (add X Y) = dot w k X + dot w k Y.
Proof.
  induction X as [|x X IH]; intros [|y Y] w k; simpl; try lra.
  rewrite IH, plus_IZR. lra.
Qed.

Lemma dot_times : forall c X w k, dot w k (times c X) = IZR c * dot w k X.
Proof. induction X as [|x X IH]; intros; simpl; [lra |]. rewrite IH, mult_IZR. lra. Qed.

Lemma dot_zero : forall X w k, forallb (Z.eqb 0) X = true -> dot w k X = 0.
Proof.
  induction X as [|x X IH]; intros w k H; [reflexivity |]. cbn [forallb dot] in *.
  apply andb_prop in H. destruct H as [H1 H2]. apply Z.eqb_eq in H1. subst x. rewrite IH by exact H2. lra.
Qed.

Lemma length_add : forall X Y d, (length X <= d)%nat -> (length Y <= d)%nat -> (length (add X Y) <= d)%nat.
Proof.
  induction X as [|x X IH]; intros [|y Y] d HX HY; simpl in *; auto.
  destruct d; [lia |]. apply le_n_S, IH; lia.
Qed.

Lemma squares_more : forall n m w k, (n <= m)%nat -> squares w k n <= squares w k m.
Proof.
  induction n as [|n IH]; intros m w k H.
  - simpl. apply squares_nonneg.
  - destruct m; [lia |]. simpl. specialize (IH m w (S k) ltac:(lia)). lra.
Qed.

(** Cauchy and Schwarz. *)
Lemma dot_squared : forall X w k,
  dot w k X * dot w k X <= squares w k (length X) * IZR (sumsq X).
Proof.
  induction X as [|x X IH]; intros w k; simpl; [lra |].
  rewrite plus_IZR, mult_IZR.
  specialize (IH w (S k)).
  pose proof (squares_nonneg (length X) w (S k)) as HN.
  pose proof (IZR_le _ _ (sumsq_nonneg X)) as HQ.
  set (D := dot w (S k) X) in *. set (N := squares w (S k) (length X)) in *. set (Q := IZR (sumsq X)) in *.
  set (a := w k). set (z := IZR x).
  pose proof (sqrt_pos N) as Hs. pose proof (sqrt_pos Q) as Ht.
  pose proof (sqrt_sqrt N HN) as Es. pose proof (sqrt_sqrt Q HQ) as Et.
  set (s := sqrt N) in *. set (t := sqrt Q) in *.
  assert (HD : Rabs D <= s * t).
  { apply Rsqr_incr_0; [| apply Rabs_pos | apply Rmult_le_pos; assumption].
    rewrite <- Rsqr_abs. unfold Rsqr.
    replace (s * t * (s * t)) with (s * s * (t * t)) by ring. rewrite Es, Et. exact IH. }
  assert (H : a * z * D <= Rabs a * Rabs z * (s * t)).
  { apply Rle_trans with (Rabs (a * z * D)); [apply Rle_abs |].
    rewrite !Rabs_mult. apply Rmult_le_compat_l; [| exact HD].
    apply Rmult_le_pos; apply Rabs_pos. }
  assert (Ha : Rabs a * Rabs a = a * a) by (rewrite <- Rabs_mult; apply Rabs_right; nra).
  assert (Hz : Rabs z * Rabs z = z * z) by (rewrite <- Rabs_mult; apply Rabs_right; nra).
  pose proof (Rle_0_sqr (Rabs a * t - Rabs z * s)) as HS. unfold Rsqr in HS.
  assert (HE : (Rabs a * t - Rabs z * s) * (Rabs a * t - Rabs z * s)
    = a * a * Q + z * z * N - 2 * (Rabs a * Rabs z * (s * t))).
  { replace (a * a * Q) with ((Rabs a * Rabs a) * (t * t)) by (rewrite Ha, Et; reflexivity).
    replace (z * z * N) with ((Rabs z * Rabs z) * (s * s)) by (rewrite Hz, Es; reflexivity).
    ring. }
  nra.
Qed.

(** The sum of n times the side, over the rows. *)
Fixpoint sides unit w b (ns : list Z) (rows : list row) : R :=
  match ns, rows with
  | n :: s, r :: t => IZR n * side unit w b r + sides unit w b s t
  | _, _ => 0
  end.

Lemma sides_combined : forall unit w b ns rows v signed total,
  combined ns rows = (v, signed, total) ->
  sides unit w b ns rows = dot w 0 v / IZR (Zpos unit) + b * IZR signed.
Proof.
  intros unit w b. induction ns as [|n ns IH]; intros rows v signed total H.
  - injection H as <- <- <-. simpl. unfold Rdiv. lra.
  - destruct rows as [|[y X] rows]; [injection H as <- <- <-; simpl; unfold Rdiv; lra |].
    cbn [combined] in H. destruct (combined ns rows) as [[v' s'] t'] eqn:E. injection H as <- <- <-.
    cbn [sides]. rewrite (IH _ _ _ _ E). unfold side. cbn [fst snd].
    rewrite dot_add, dot_times, plus_IZR, mult_IZR. unfold Rdiv. ring.
Qed.

Lemma sides_least : forall unit w b m ns rows v signed total,
  nonnegative ns = true -> combined ns rows = (v, signed, total) ->
  (forall r, In r rows -> m <= side unit w b r) ->
  m * IZR total <= sides unit w b ns rows.
Proof.
  intros unit w b m. induction ns as [|n ns IH]; intros rows v signed total P H L.
  - injection H as <- <- <-. simpl. lra.
  - destruct rows as [|[y X] rows]; [injection H as <- <- <-; simpl; lra |].
    cbn [combined] in H. destruct (combined ns rows) as [[v' s'] t'] eqn:E. injection H as <- <- <-.
    unfold nonnegative in P. cbn [forallb] in P. apply andb_prop in P. destruct P as [P1 P2]. apply Z.leb_le, IZR_le in P1.
    cbn [sides]. rewrite plus_IZR.
    pose proof (L (y, X) (or_introl eq_refl)).
    pose proof (IH _ _ _ _ P2 E (fun r i => L r (or_intror i))). nra.
Qed.

Lemma sides_positive : forall unit w b ns rows v signed total,
  nonnegative ns = true -> combined ns rows = (v, signed, total) -> (0 < total)%Z ->
  separates unit w b rows -> 0 < sides unit w b ns rows.
Proof.
  intros unit w b. induction ns as [|n ns IH]; intros rows v signed total P H T L.
  - injection H as <- <- <-. lia.
  - destruct rows as [|[y X] rows]; [injection H as <- <- <-; lia |].
    cbn [combined] in H. destruct (combined ns rows) as [[v' s'] t'] eqn:E. injection H as <- <- <-.
    unfold nonnegative in P. cbn [forallb] in P. apply andb_prop in P. destruct P as [P1 P2]. apply Z.leb_le in P1.
    cbn [sides].
    pose proof (L (y, X) (or_introl eq_refl)) as L0.
    assert (LR : separates unit w b rows) by (intros r i; apply L; right; exact i).
    assert (0 <= sides unit w b ns rows).
    { pose proof (sides_least unit w b 0 _ _ _ _ _ P2 E (fun r i => Rlt_le _ _ (LR r i))). lra. }
    destruct (Z.eq_dec n 0) as [->|N].
    + pose proof (IH _ _ _ _ P2 E ltac:(lia) LR). lra.
    + assert (0 < IZR n) by (apply IZR_lt; lia). nra.
Qed.

Lemma length_combined : forall d ns rows v signed total,
  fits d rows = true -> combined ns rows = (v, signed, total) -> (length v <= d)%nat.
Proof.
  intros d. induction ns as [|n ns IH]; intros rows v signed total F H.
  - injection H as <- <- <-. simpl. lia.
  - destruct rows as [|[y X] rows]; [injection H as <- <- <-; simpl; lia |].
    cbn [combined] in H. destruct (combined ns rows) as [[v' s'] t'] eqn:E. injection H as <- <- <-.
    unfold fits in F. cbn [forallb] in F. apply andb_prop in F. destruct F as [F1 F2]. apply Nat.leb_le in F1.
    apply length_add; [unfold times; rewrite map_length; exact F1 |]. exact (IH _ _ _ _ F2 E).
Qed.

(** * Theorems *)

Theorem contradiction_sound : forall ns rows, check_contradiction ns rows = true ->
  forall unit w b, ~ separates unit w b rows.
Proof.
  intros ns rows C unit w b L. unfold check_contradiction in C.
  destruct (combined ns rows) as [[v signed] total] eqn:E.
  rewrite !andb_true_iff in C. destruct C as [[[P S] T] V].
  apply Z.eqb_eq in S. apply Z.ltb_lt in T. subst signed.
  pose proof (sides_positive unit w b _ _ _ _ _ P E T L) as H.
  rewrite (sides_combined unit w b _ _ _ _ _ E), (dot_zero v w 0 V) in H.
  unfold Rdiv in H. lra.
Qed.

Theorem separator_sound : forall unit W B p q rows, check_separator unit W B p q rows = true ->
  separates unit (of_list W) (IZR B) rows
  /\ has_margin unit (length W) (of_list W) (IZR B) (sqrt (IZR p / IZR q)) rows.
Proof.
  intros unit W B p q rows C. unfold check_separator in C.
  rewrite !andb_true_iff in C. destruct C as [[[[P Q] N] _] A].
  apply Z.leb_le, IZR_le in P. apply Z.ltb_lt, IZR_lt in Q. apply Z.ltb_lt, IZR_lt in N.
  rewrite forallb_forall in A.
  assert (HU : 0 < IZR (Zpos unit)) by (apply IZR_lt; reflexivity).
  assert (HN : squares (of_list W) 0 (length W) = IZR (sumsq W)) by (exact (squares_of_list (length W) W 0 eq_refl)).
  assert (HS : forall r, In r rows -> 0 < side unit (of_list W) (IZR B) r
    /\ IZR p * IZR (sumsq W) <= IZR q * (side unit (of_list W) (IZR B) r * side unit (of_list W) (IZR B) r)).
  { intros r i. specialize (A r i). apply andb_prop in A. destruct A as [A1 A2].
    apply Z.ltb_lt, IZR_lt in A1. apply Z.leb_le, IZR_le in A2.
    unfold side. rewrite dot_of_list. cbn [skipn].
    rewrite !mult_IZR, plus_IZR, !mult_IZR in A2. rewrite mult_IZR, plus_IZR, mult_IZR in A1.
    set (y := IZR (sign (fst r))) in *. set (D := IZR (dotZ W (snd r))) in *. set (u := IZR (Zpos unit)) in *.
    assert (E : y * (D / u + IZR B) = y * (D + IZR B * u) / u) by (field; lra).
    rewrite E. split.
    - apply Rdiv_lt_0_compat; lra.
    - apply Rmult_le_reg_r with (u * u); [nra |].
      replace (IZR q * (y * (D + IZR B * u) / u * (y * (D + IZR B * u) / u)) * (u * u))
        with (IZR q * (y * (D + IZR B * u) * (y * (D + IZR B * u)))) by (field; lra).
      exact A2. }
  split; [intros r i; exact (proj1 (HS r i)) |].
  split; [unfold norm; rewrite HN; apply sqrt_lt_R0; exact N |].
  intros r i. destruct (HS r i) as [H1 H2]. unfold norm. rewrite HN.
  assert (HPQ : 0 <= IZR p / IZR q) by (apply Rmult_le_pos; [exact P | left; apply Rinv_0_lt_compat; exact Q]).
  rewrite <- sqrt_mult by lra.
  rewrite <- (sqrt_square (side unit (of_list W) (IZR B) r)) by lra.
  apply sqrt_le_1_alt.
  apply Rmult_le_reg_l with (IZR q); [exact Q |].
  replace (IZR q * (IZR p / IZR q * IZR (sumsq W))) with (IZR p * IZR (sumsq W)) by (field; lra).
  exact H2.
Qed.

Theorem ceiling_sound : forall unit d ns p q rows, check_ceiling unit d ns p q rows = true ->
  forall w b m, has_margin unit d w b m rows -> m <= sqrt (IZR p / IZR q).
Proof.
  intros unit d ns p q rows C w b m [HW HM]. unfold check_ceiling in C.
  destruct (combined ns rows) as [[v signed] total] eqn:E.
  rewrite !andb_true_iff in C. destruct C as [[[[[[P S] T] P0] Q0] F] H].
  apply Z.eqb_eq in S. apply Z.ltb_lt, IZR_lt in T. apply Z.leb_le, IZR_le in P0. apply Z.ltb_lt, IZR_lt in Q0.
  apply Z.leb_le, IZR_le in H. subst signed. rewrite !mult_IZR in H.
  assert (HU : 0 < IZR (Zpos unit)) by (apply IZR_lt; reflexivity).
  pose proof (sides_least unit w b _ _ _ _ _ _ P E HM) as L.
  rewrite (sides_combined unit w b _ _ _ _ _ E) in L.
  set (u := IZR (Zpos unit)) in *. set (t := IZR total) in *. set (D := dot w 0 v) in *. set (n := norm w d) in *.
  assert (HD : D * D <= n * n * IZR (sumsq v)).
  { pose proof (dot_squared v w 0) as CS. fold D in CS.
    pose proof (squares_more _ d w 0 (length_combined d _ _ _ _ _ F E)) as M.
    pose proof (IZR_le _ _ (sumsq_nonneg v)) as V.
    unfold n, norm. rewrite sqrt_sqrt by apply squares_nonneg. nra. }
  assert (HL : m * n * (t * u) <= D).
  { apply Rmult_le_reg_r with (/ u); [apply Rinv_0_lt_compat; exact HU |].
    replace (m * n * (t * u) * / u) with (m * n * t) by (field; lra).
    unfold Rdiv in L. lra. }
  assert (HPQ : 0 <= IZR p / IZR q) by (apply Rmult_le_pos; [exact P0 | left; apply Rinv_0_lt_compat; exact Q0]).
  destruct (Rle_or_lt m 0) as [Z | Z]; [pose proof (sqrt_pos (IZR p / IZR q)); lra |].
  rewrite <- (sqrt_square m) by lra. apply sqrt_le_1_alt.
  assert (HTU : 0 < t * u) by nra.
  assert (HMN : 0 < m * n * (t * u)) by (apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; lra | lra]).
  assert (H2 : (m * n * (t * u)) * (m * n * (t * u)) <= n * n * IZR (sumsq v)) by nra.
  assert (H3 : m * m * ((t * u) * (t * u)) <= IZR (sumsq v)).
  { apply Rmult_le_reg_l with (n * n); [nra |]. nra. }
  apply Rmult_le_reg_r with (IZR q * ((t * u) * (t * u))); [apply Rmult_lt_0_compat; nra |].
  replace (IZR p / IZR q * (IZR q * (t * u * (t * u)))) with (IZR p * (t * u * (t * u))) by (field; lra).
  nra.
Qed.
